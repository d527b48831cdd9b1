// Code that means harm to its own session: each ends in a clear result, and the next call works.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PythonOptions, Sandbox } from "#sandbox/index.ts";
import { watchingMemory } from "../support/memory.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes({ limits: { memoryBytes: 768 * 2 ** 20 } });
  sandbox = await fixture.sandboxes.open("attacker");
  await sandbox.python("1");
});
afterAll(() => fixture.cleanUp());

const attempt = (code: string, options?: PythonOptions) =>
  sandbox.python(code, { timeoutMs: 20_000, ...options });

/** The next cell works; resolves to whether its session had to be started again. */
async function nextWorks(): Promise<boolean> {
  const { status, stdout, results, restarted } = await sandbox.python("print('out')\n6 * 7");
  expect({ status, out: String(stdout), results }).toEqual({
    status: "completed",
    out: "out\n",
    results: [{ mime: "text/plain", value: true, text: "42" }],
  });
  return restarted;
}

test.each([
  ["a syntax error", "for for"],
  ["a character that isn't one", "x = '\udc80'"],
  ["a NUL", "x = 1\0"],
  ["recursion without end", "def f(): return f()\nf()"],
  ["a class that nests too deep", `${"(".repeat(500)}1${")".repeat(500)}`],
  ["an exception that can't be told", "class E(Exception):\n  def __str__(self): raise self\nraise E()"],
  ["sys.exit", "import sys; sys.exit(9)"],
  ["a builtin that is gone", "import builtins\nbuiltins.len = None\nlen('')"],
])("%s fails and keeps the session", async (_, code) => {
  expect((await attempt(code)).status).toBe("failed");
  expect(await nextWorks()).toBe(false);
});

test.each([
  [
    "closed streams",
    "import sys, os\nsys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2); os.close(0)",
  ],
  ["streams that are gone", "import sys\ndel sys.stdout, sys.stderr"],
  ["streams that are gone, and a value", "import sys\ndel sys.stdout, sys.stderr, sys.stdin\n6 * 7"],
  ["streams of another kind", "import sys\nsys.stdout = sys.stderr = 5"],
  [
    "builtins replaced",
    "import builtins\nfor name in ('print', 'open', 'len', 'isinstance'): setattr(builtins, name, None)",
  ],
  [
    "builtins deleted",
    "import builtins\ndel builtins.BaseException, builtins.Exception, builtins.print, builtins.type",
  ],
  ["another interrupt handler", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"],
  ["a fork that goes on", "import os\nos.fork()"],
  [
    "threads left behind",
    "import threading, time\nfor _ in range(20): threading.Thread(target=time.sleep, args=(3,)).start()",
  ],
  [
    "a working directory that is gone",
    "import os\nos.mkdir('/tmp/gone'); os.chdir('/tmp/gone'); os.rmdir('/tmp/gone')",
  ],
  [
    "modules that are gone",
    "import sys\nsys.path.clear()\nfor name in ('json', 'os', 're'): sys.modules.pop(name)",
  ],
])("%s: the next call works", async (_, code) => {
  await attempt(code);
  await nextWorks();
  await sandbox.resetSession();
});

test.each([
  ["os._exit", "import os; os._exit(4)", { status: "failed", exitCode: 4 }],
  ["a crash", "import ctypes; ctypes.string_at(0)", { status: "failed", signal: "SIGSEGV" }],
  ["its own kill", "import os; os.kill(os.getpid(), 9)", { status: "failed", signal: "SIGKILL" }],
  ["its reaper's kill", "import os, time; os.kill(os.getppid(), 9); time.sleep(20)", { status: "failed" }],
  ["every descriptor closed", "import os; os.closerange(0, 4096)", { status: "failed" }],
  ["nonsense on its socket", scribble("b'd{'"), { status: "failed" }],
  ["a forged report on its socket", scribble(`b'd' + b'[' * 10000`), { status: "failed" }],
  ["itself stopped", "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", { status: "timeout" }],
])("%s ends the session, which is told", async (_, code, expected) => {
  await nextWorks();
  const result = await attempt(code, { timeoutMs: 3000, graceMs: 300 });
  expect(result).toMatchObject(expected);
  expect(String(result.stderr)).toMatch(/session default is over: .+\. Its variables are gone\.\n$/);
  expect(await nextWorks()).toBe(true);
});

test("a forged end of a cell harms its own result only", async () => {
  const forged = await attempt(
    scribble(`b'd{"exit": 7, "error": {"type": "Lie", "message": "forged", "module": "x/../y"}}'`),
  );
  expect(forged).toMatchObject({ status: "failed", signal: "SIGKILL" });
  const other = await sandbox.python("1", { session: "other" });
  expect(other).toMatchObject({ status: "completed", restarted: false });
  await nextWorks();
  await sandbox.resetSession("other");
});

test("forged results are bounded, and their own cell's alone", async () => {
  const flood = `import os
for fd in range(200, 210):
  try:
    for _ in range(400): os.write(fd, b"\\x00\\x00\\x00\\x00\\xff\\xff" + b"x" * 65535)
  except OSError: pass`;
  const { grown, result } = await watchingMemory(() => attempt(flood));
  expect(result.results.reduce((sum, { text = "" }) => sum + text.length, 0)).toBeLessThanOrEqual(
    8 * 2 ** 20,
  );
  expect(grown).toBeLessThan(80_000_000);
  await nextWorks();
});

test("ten million lines are capped, with their head and tail kept", async () => {
  const { grown, result } = await watchingMemory(() =>
    attempt("for number in range(10**7): print(number)", { timeoutMs: 120_000 }),
  );
  expect(result).toMatchObject({ status: "completed", truncated: true });
  expect(String(result.stdout)).toMatch(/^0\n1\n.*\n9999999\n$/s);
  expect(result.stdout.length).toBeLessThan(600_000);
  expect(grown).toBeLessThan(30_000_000);
  expect(await nextWorks()).toBe(false);
}, 180_000);

test("a value of a gigabyte is cut or runs out of memory, and both are said", async () => {
  const cut = await attempt("'x' * 50_000_000");
  expect(cut.results[0]?.text?.length).toBeLessThanOrEqual(4 * 2 ** 20);
  expect(cut.results[0]?.text).toMatch(/bytes left out …\]$/);
  expect((await attempt("'x' * 1_000_000_000")).status).toMatch(/oom|failed/);
  await nextWorks();
  const image = await attempt(
    "from IPython.display import Image\nImage(data=b'\\x89PNG' + bytes(6_000_000), format='png')",
  );
  expect(image.results).toMatchObject([
    { mime: "text/plain", text: expect.stringMatching(/too large to show/) },
  ]);
});

test("results without end are cut off with a word about it", async () => {
  const many = await attempt("for number in range(5000): display(number)");
  expect(many.results.length).toBeLessThanOrEqual(256);
  expect(many.results.at(-1)?.text).toMatch(/left out/);
  const large = await attempt("for _ in range(10): display('x' * 3_000_000)");
  expect(large.results.length).toBeLessThan(10);
  expect(large.results.at(-1)?.text).toMatch(/left out/);
  expect(await nextWorks()).toBe(false);
});

test("an object whose repr raises is told apart from one that is never done", async () => {
  const raising = await attempt("class A:\n  def __repr__(self): raise ValueError('no')\nA()");
  expect(raising.results[0]?.text).toMatch(/A that can't be shown/);
  expect(String(raising.stderr)).toMatch(/ValueError: no\n$/);
  const endless = await attempt("class B:\n  def __repr__(self):\n    while True: pass\nB()", {
    timeoutMs: 500,
  });
  expect(endless.status).toBe("timeout");
  expect(await nextWorks()).toBe(false);
});

test("memory that runs out is `oom`, and other sessions live on", async () => {
  await sandbox.python("kept = 1", { session: "bystander" });
  const result = await attempt("hoard = []\nwhile True: hoard.append(bytearray(b'x' * 10_000_000))");
  expect(result).toMatchObject({ status: "oom" });
  expect(String(result.stderr)).toMatch(/ran out of memory/);
  expect(await nextWorks()).toBe(true);
  expect(await sandbox.python("kept", { session: "bystander" })).toMatchObject({ status: "completed" });
  await sandbox.resetSession("bystander");
});

test("a fork bomb in a cell ends with its deadline, and nobody survives", async () => {
  const bomb = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass";
  const result = await attempt(bomb, { timeoutMs: 1000, graceMs: 200 });
  expect(result.status).toBe("timeout");
  await expect.poll(async () => (await sandbox.info()).processes, { timeout: 10_000 }).toBe(0);
  await nextWorks();
});

test("processes that a cell leaves behind are listed, and go with their session", async () => {
  const left = await attempt(
    "import subprocess\nfor _ in range(3): subprocess.Popen(['setsid', 'sleep', '61'])\nimport time; time.sleep(0.3)",
  );
  expect(left.strays.map(({ name }) => name)).toEqual(["sleep", "sleep", "sleep"]);
  expect(await sandbox.info()).toMatchObject({ processes: 3, idle: false });
  await sandbox.resetSession();
  await expect.poll(async () => (await sandbox.info()).processes).toBe(0);
});

test("a killed warm interpreter is replaced", async () => {
  await sandbox.prewarm();
  await fixture.sh("attacker", "pkill -9 -f cove_kernel; true");
  await nextWorks();
});

/** Writes to every descriptor there is but the standard ones. */
function scribble(bytes: string): string {
  return `import os, time
for fd in range(3, 300):
  try: os.write(fd, ${bytes})
  except OSError: pass
time.sleep(5)`;
}
