// Stateful Python in a real container.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PythonOptions, PythonResult, Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes({ limits: { memoryBytes: 512 * 2 ** 20 } });
  sandbox = await fixture.sandboxes.open("pythonist");
});
beforeEach(() => sandbox.resetSession());
afterAll(() => fixture.cleanUp());

/** Runs a cell and returns its last value as text, or what went wrong. */
async function value(code: string, options?: PythonOptions): Promise<string | undefined> {
  const result = await sandbox.python(code, options);
  if (result.status !== "completed") throw new Error(`${result.status}: ${result.stderr}`);
  return result.results.find((one) => one.value)?.text;
}

test("variables, imports and functions last from cell to cell", async () => {
  await value("import math\nx = 20\ndef double(n): return 2 * n");
  const result = await sandbox.python("print('here')\ndouble(x) + math.floor(2.5)");
  expect(result).toMatchObject({ status: "completed", exitCode: 0, session: "default", restarted: false });
  expect(result.stdout.toString()).toBe("here\n");
  expect(result.results).toEqual([{ mime: "text/plain", value: true, text: "42" }]);
});

test("sessions have their own variables and random numbers", async () => {
  await value("x = 1; import random, numpy", { session: "one" });
  await expect(value("x", { session: "two" })).rejects.toThrow(/NameError/);
  const draw = "import random, numpy\n(random.random(), numpy.random.rand())";
  expect(await value(draw, { session: "one" })).not.toBe(await value(draw, { session: "two" }));
  expect(await value("x", { session: "one" })).toBe("1");
  await sandbox.resetSession("one");
  await sandbox.resetSession("two");
});

test("cells of one session run one after the other, those of several don't wait for each other", async () => {
  await Promise.all([value("n = 0"), value("1", { session: "other" })]);
  const slow = value("import time\ntime.sleep(0.5)\nn += 1");
  const queued = Array.from({ length: 5 }, () => value("n += 1\nn"));
  expect(await value("'free'", { session: "other" })).toBe("'free'");
  await slow;
  expect(await Promise.all(queued)).toEqual(["2", "3", "4", "5", "6"]);
  await sandbox.resetSession("other");
});

test("magics, shell commands and await at top level work as in a notebook", async () => {
  expect(await value("import asyncio\nawait asyncio.sleep(0.01)\n'awaited'")).toBe("'awaited'");
  const shell = await sandbox.python("word = 'hi'\n!echo {word}; echo oops >&2; exit 3");
  expect(`${shell.stdout}|${shell.stderr}`).toBe("hi\n|oops\n");
  expect(await value("_exit_code")).toBe("3");
  expect(await value("lines = !printf 'a\\nb'\nlines")).toBe("['a', 'b']");
  expect(String((await sandbox.python("%%bash\necho from bash")).stdout)).toBe("from bash\n");
  expect(String((await sandbox.python("%time 1")).stdout)).toMatch(/Wall time/);
  expect((await sandbox.python("len?")).results[0]?.text).toMatch(/Return the number of items/);
});

test("a traceback reads well, points at the cell and has no colours", async () => {
  const result = await sandbox.python("def f():\n    return 1 / 0\n\nf()");
  expect(result).toMatchObject({
    status: "failed",
    exitCode: 1,
    error: { type: "ZeroDivisionError", message: "division by zero" },
  });
  expect(String(result.stderr)).toMatch(/Cell In\[1\], line 4.*ZeroDivisionError: division by zero\n$/s);
  expect(String(result.stderr)).not.toContain("\u001b");
});

test("a syntax error is a result, too", async () => {
  const result = await sandbox.python("def broken(:");
  expect(result).toMatchObject({ status: "failed", error: { type: "SyntaxError" } });
  expect(String(result.stderr)).toContain("def broken(:");
});

test("a missing module comes with a hint", async () => {
  const result = await sandbox.python("import cv2");
  expect(result).toMatchObject({ error: { type: "ModuleNotFoundError", module: "cv2" } });
  expect(result.hint).toMatch(/install the package opencv-python/);
});

test("input() is refused clearly, and sys.exit ends the cell, not the session", async () => {
  expect((await sandbox.python("x = 1\ninput('name? ')")).error?.message).toMatch(
    /nobody sits at a keyboard/,
  );
  expect(await sandbox.python("import sys; sys.exit(3)")).toMatchObject({ status: "failed", exitCode: 3 });
  expect(await sandbox.python("exit()")).toMatchObject({ status: "completed", exitCode: 0 });
  const words = await sandbox.python("sys.exit('no luck')");
  expect(words).toMatchObject({ exitCode: 1 });
  expect(String(words.stderr)).toBe("no luck\n");
  expect(await value("x")).toBe("1");
});

test("rich results come in order of appearance, each with its plain text", async () => {
  const { results } = await sandbox.python(`
from IPython.display import HTML, JSON, SVG, Image, Latex, Markdown, display
import pandas as pd
display(Markdown("# title"), HTML("<b>bold</b>"), Latex("$x$"), JSON({"a": [1]}))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg"/>'))
display(Image(data=b"\\xff\\xd8\\xff\\x00", format="jpeg"), "plain")
pd.DataFrame({"n": [1, 2]})`);
  expect(results.map(({ mime }) => mime)).toEqual([
    "text/markdown",
    "text/html",
    "text/latex",
    "application/json",
    "image/svg+xml",
    "image/jpeg",
    "text/plain",
    "text/html",
  ]);
  expect(results[3]?.text).toBe('{"a": [1]}');
  expect(results[5]?.data).toEqual(Buffer.from([0xff, 0xd8, 0xff, 0]));
  expect(results.map((one) => one.value)).toEqual([...Array(7).fill(false), true]);
  expect(results[7]).toMatchObject({ text: expect.stringContaining("<table"), plain: "   n\n0  1\n1  2" });
});

test("figures that are data come as data, whatever version they name", async () => {
  const { results } = await sandbox.python(`
import sys, types
page = {"text/html": "<script>1</script>", "text/plain": "a figure"}
display({"application/vnd.plotly.v1+json": {"data": [{"y": [1, 2]}]}, **page}, raw=True)
display({"application/vnd.vegalite.v5+json": {"mark": "bar"}, **page}, raw=True)
display({"application/vnd.vega.v4+json": {"marks": []}, **page}, raw=True)
# Altair's charts are pages by themselves, unless somebody asks them for data.
module = types.ModuleType("altair.vegalite.v6.api")
exec("class TopLevelMixin:\\n def to_dict(self): return {'mark': 'point'}\\n def _repr_mimebundle_(self, *_, **__): return {'text/html': 'x'}", module.__dict__)
sys.modules["altair.vegalite.v6.api"] = module
module.TopLevelMixin.__module__ = "altair.vegalite.v6.api"
type("Chart", (module.TopLevelMixin,), {})()`);
  expect(results.map(({ mime, text }) => [mime, JSON.parse(text ?? "")])).toEqual([
    ["application/vnd.plotly.v1+json", { data: [{ y: [1, 2] }] }],
    ["application/vnd.vegalite.v6+json", { mark: "bar" }],
    ["application/vnd.vega.v6+json", { marks: [] }],
    ["application/vnd.vegalite.v6+json", { mark: "point" }],
  ]);
  expect(results[0]?.plain).toBe("a figure");
});

test("what is displayed comes in the order of its appearance, figures and values alike", async () => {
  const order = async (code: string) => (await sandbox.python(code)).results.map(({ mime }) => mime);
  const table = "import pandas as pd; df = pd.DataFrame({'a': [1, 2]})";
  const shown = "plt.plot([1, 2]); plt.show()";
  expect(await order(`${table}\nimport matplotlib.pyplot as plt\n${shown}\ndf`)).toEqual([
    "image/png",
    "text/html",
  ]);
  expect(await order(`display(df)\n${shown}\ndf`)).toEqual(["text/html", "image/png", "text/html"]);
  // Not shown by anybody: it comes when the cell is over.
  expect(await order("plt.plot([1, 2])\ndf")).toEqual(["text/html", "image/png"]);
  expect(await order(`import matplotlib; matplotlib.use("Agg")\n${shown}\ndf`)).toEqual([
    "image/png",
    "text/html",
  ]);
  expect(await order(`plt.switch_backend("agg")\n${shown}\nprint(1)\ndf`)).toEqual([
    "image/png",
    "text/html",
  ]);
});

test("figures that are open at the end are shown once, however they were made", async () => {
  const images = async (code: string) => pngs(await sandbox.python(code)).length;
  expect(await images("import matplotlib.pyplot as plt\nplt.plot([1, 2]);")).toBe(1);
  expect(await images("1")).toBe(0);
  expect(await images("fig, ax = plt.subplots(); ax.plot([1])\nfig")).toBe(1);
  expect(await images("plt.plot([1]); plt.show()\nplt.figure(); plt.plot([2]); plt.show()")).toBe(2);
  expect(await images("plt.plot([1]); plt.savefig('saved.png'); plt.close();")).toBe(0);
  expect(await images("%matplotlib inline\nplt.plot([1]);")).toBe(1);
  expect(await images("import matplotlib; matplotlib.use('Agg')\nplt.plot([1]); plt.show()")).toBe(1);
  const [png] = pngs(await sandbox.python("plt.plot([1, 2]);"));
  expect(png?.data?.subarray(0, 4)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  expect((await sandbox.files.stat("saved.png")).size).toBeGreaterThan(1000);
});

test("output comes live, and what is displayed is not mixed into it", async () => {
  const heard: string[] = [];
  // It ends only once somebody has heard its first line.
  const code =
    "import os, time\nprint('one')\ndisplay('shown')\nwhile not os.path.exists('heard'): time.sleep(0.02)\nprint('two')";
  const { status } = await sandbox.python(code, {
    onOutput: async ({ data }) => {
      if (heard.push(String(data)) === 1) await sandbox.files.write("heard", "yes");
    },
  });
  expect(status).toBe("completed");
  expect(heard).toEqual(["one\n", "two\n"]);
});

test("a deadline interrupts the cell and keeps the session", async () => {
  const result = await sandbox.python("kept = 7\nwhile True: pass", { timeoutMs: 1000 });
  expect(result).toMatchObject({ status: "timeout", error: { type: "KeyboardInterrupt" } });
  expect(result.durationMs).toBeLessThan(10_000);
  expect(await value("kept")).toBe("7");
  expect((await sandbox.python("!sleep 30", { timeoutMs: 300 })).status).toBe("timeout");
  expect((await sandbox.python("import os; os.system('sleep 30')", { timeoutMs: 300 })).status).toBe(
    "timeout",
  );
  expect(await value("kept")).toBe("7");
});

test("a cell that doesn't stop when interrupted ends its session, and the next result says so", async () => {
  const stubborn = "x = 1\nwhile True:\n  try:\n    while True: pass\n  except KeyboardInterrupt: pass";
  const result = await sandbox.python(stubborn, { timeoutMs: 1000, graceMs: 300 });
  expect(result).toMatchObject({ status: "timeout", restarted: false });
  expect(String(result.stderr)).toMatch(/session default is over: .* Its variables are gone/);
  expect(await sandbox.python("1")).toMatchObject({ status: "completed", restarted: true });
  expect(await sandbox.python("1")).toMatchObject({ status: "completed", restarted: false });
});

test("a signal cancels the cell; a second stop ends the session at once", async () => {
  const abort = new AbortController();
  const cancelled = sandbox.python("x = 1\nprint('begun')\nwhile True: pass", {
    signal: abort.signal,
    onOutput: () => abort.abort(),
  });
  await expect(cancelled).resolves.toMatchObject({ status: "cancelled" });
  expect(await value("x")).toBe("1");
  const stubborn =
    "import time\nprint('begun')\nwhile True:\n  try: time.sleep(60)\n  except KeyboardInterrupt: print('no')";
  const running = sandbox.python(stubborn, {
    executionId: "stubborn",
    graceMs: 30_000,
    onOutput: () => sandbox.stop("stubborn"),
  });
  const ended = await running;
  expect(ended).toMatchObject({ status: "cancelled" });
  expect(ended.durationMs).toBeLessThan(10_000);
  expect(await sandbox.python("x")).toMatchObject({ status: "failed", restarted: true });
});

test("cancelled while it waits for others, a cell never runs", async () => {
  const slow = sandbox.python("import time\ntime.sleep(0.5)");
  const abort = new AbortController();
  const waiting = sandbox.python("open('/workspace/never', 'w')", { signal: abort.signal });
  abort.abort();
  await expect(waiting).resolves.toMatchObject({ status: "cancelled", exitCode: null, results: [] });
  await slow;
  expect(await value("1")).toBe("1");
  await expect(sandbox.files.stat("never")).rejects.toMatchObject({ code: "not_found" });
});

test("a call that can't wait gets what there is, and attach gets the rest", async () => {
  const wait = "while not os.path.exists('go'): time.sleep(0.02)";
  const code = `import os, time\nprint('one')\ndisplay('early')\n${wait}\nprint('two')\n'late'`;
  await sandbox.python("'so that the session is there'");
  const first = await sandbox.python(code, { waitMs: 3000, executionId: "slow-cell" });
  expect(first).toMatchObject({ status: "running", session: "default" });
  expect(first.results).toMatchObject([{ text: "'early'" }]);
  await sandbox.files.write("go", "now");
  const rest = await sandbox.attach("slow-cell");
  expect(rest).toMatchObject({ status: "completed", session: "default", restarted: false });
  expect(rest.stdout.toString()).toBe("one\ntwo\n");
  expect(rest.results?.map(({ text }) => text)).toEqual(["'early'", "'late'"]);
});

test("a background cell returns at once and can be followed", async () => {
  const { executionId, status } = await sandbox.python("import time\ntime.sleep(0.3)\n'done'", {
    background: true,
  });
  expect(status).toBe("running");
  expect((await sandbox.attach(executionId)).results).toMatchObject([{ text: "'done'" }]);
});

test("a cell and its results survive a pipe that breaks", async () => {
  const code =
    "import time\nprint('one')\ndisplay('x' * 1_000_000)\ntime.sleep(1)\nprint('two')\n'y' * 1_000_000";
  const broken = sandbox.python(code, {
    onOutput: ({ data }) => {
      if (String(data) === "one\n") void sandbox.run("pkill -9 nc").catch(() => undefined);
    },
  });
  const result = await broken;
  expect(result).toMatchObject({ status: "completed", restarted: false });
  expect(result.stdout.toString()).toBe("one\ntwo\n");
  expect(result.results.map(({ text }) => text?.length)).toEqual([1_000_002, 1_000_002]);
});

test("a reset session begins afresh and doesn't claim to have been restarted", async () => {
  await value("x = 1");
  expect(await sandbox.resetSession()).toBe(true);
  expect(await sandbox.resetSession()).toBe(false);
  expect(await sandbox.python("x")).toMatchObject({ status: "failed", restarted: false });
});

test("sessions are listed with their age and memory, and an idle one lets the sandbox rest", async () => {
  await value("block = bytearray(50_000_000); block[::4096] = b'x' * len(block[::4096])");
  await expect.poll(async () => (await sandbox.info()).idle).toBe(true);
  const { sessions, processes } = await sandbox.info();
  expect(processes).toBe(0);
  expect(sessions).toMatchObject([{ name: "default", busy: false, waiting: 0 }]);
  expect(sessions[0]?.memoryBytes).toBeGreaterThan(50_000_000);
  expect(sessions[0]?.ageMs).toBeGreaterThan(0);
});

test("there is an end to sessions", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `session-${index}`);
  await Promise.all(names.map((session) => value("1", { session })));
  await expect(sandbox.python("1", { session: "one-more" })).rejects.toMatchObject({
    code: "too_many_sessions",
    message: expect.stringMatching(/reset one first/),
  });
  await Promise.all(names.map((session) => sandbox.resetSession(session)));
  expect(await value("1")).toBe("1");
});

test("a session's name and the length of code are checked", async () => {
  for (const session of ["", "../x", "a b", "x".repeat(65), ".hidden"])
    await expect(sandbox.python("1", { session })).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(sandbox.python("x".repeat(140_000))).rejects.toMatchObject({ code: "invalid_argument" });
});

test("scripts run from bash stay ordinary Python", async () => {
  await sandbox.files.write("script.py", "import sys\nprint('IPython' in sys.modules, __name__)");
  expect(await fixture.sh("pythonist", "python script.py")).toBe("False __main__");
});

test("what lies in the workspace can be imported, and files are where commands see them", async () => {
  await sandbox.files.write("my_module.py", "answer = 42");
  expect(await value("import my_module, os\n(my_module.answer, os.getcwd())")).toBe("(42, '/workspace')");
});

test("a stopped sandbox has lost its sessions and says so", async () => {
  await value("x = 1");
  await fixture.sandboxes.stop("pythonist");
  expect(await sandbox.python("x")).toMatchObject({ status: "failed", restarted: true });
});

test("the warm interpreter makes new sessions quick, and counts as nothing that runs", async () => {
  await sandbox.prewarm();
  await value("1");
  await sandbox.resetSession();
  const imported = "{'numpy', 'pandas', 'matplotlib.pyplot'} <= set(__import__('sys').modules)";
  expect(await value(imported)).toBe("True");
  // The processes of the session that was reset take a moment to go.
  await expect.poll(() => sandbox.info(), { timeout: 20_000 }).toMatchObject({ processes: 0, idle: true });
});

function pngs(result: PythonResult) {
  return result.results.filter(({ mime }) => mime === "image/png");
}
