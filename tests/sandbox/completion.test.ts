// Completion from a live session, in a real container.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes({ limits: { memoryBytes: 512 * 2 ** 20 } });
  sandbox = await fixture.sandboxes.open("typist");
});
beforeEach(() => sandbox.resetSession());
afterAll(() => fixture.cleanUp());

async function run(code: string): Promise<string> {
  const result = await sandbox.python(code);
  if (result.status !== "completed") throw new Error(`${result.status}: ${result.stderr}`);
  return result.results.find((one) => one.value)?.text ?? "";
}

async function offered(code: string, cursor = code.length): Promise<string[]> {
  const { matches } = await sandbox.complete("default", code, cursor);
  return matches.map(({ text }) => text);
}

test("names, attributes and keys come from what the session holds", async () => {
  await run("import pandas as pd\nrevenue_by_month = pd.DataFrame({'north': [1]})\nplaces = {'harbour': 1}");
  expect(await offered("revenue_by_m")).toEqual(["revenue_by_month"]);
  expect(await offered("revenue_by_month.desc")).toContain("describe");
  expect((await offered("places['har")).join()).toContain("harbour");
  const code = "'🦀'; revenue_by_m + 1";
  const answer = await sandbox.complete("default", code, code.indexOf(" + 1"));
  expect(code.slice(answer.from, answer.to)).toBe("revenue_by_m");
});

test("a session that isn't there offers nothing and isn't started", async () => {
  expect(await sandbox.complete("nobody", "pri", 3)).toEqual({ from: 0, to: 0, matches: [], busy: false });
  expect((await sandbox.info()).sessions.map(({ name }) => name)).not.toContain("nobody");
});

test("it never waits for a cell, and the cell never notices", async () => {
  await run("import os, time");
  const cell = run("while not os.path.exists('/tmp/go'): time.sleep(0.01)\n'gone on'");
  await expect
    .poll(async () => (await sandbox.complete("default", "pri", 3)).busy, { timeout: 30_000 })
    .toBe(true);
  await sandbox.run("touch /tmp/go");
  expect(await cell).toBe("'gone on'");
  await sandbox.run("rm /tmp/go");
  expect(await offered("pri")).toContain("print");
});

test("properties, calls and modules are looked at, never run", async () => {
  await sandbox.files.write("trap.py", "open('/workspace/sprung', 'a').write('module')");
  await run(`class Trap:
    @property
    def value(self):
        open('/workspace/sprung', 'a').write('property')
        return self
    def call(self):
        open('/workspace/sprung', 'a').write('call')
        return self
trap_here = Trap()`);
  await offered("trap_here.value.");
  await offered("trap_here.call().");
  await offered("from trap import ");
  await offered("import trap.");
  expect(await offered("trap_here.va")).toContain("value");
  expect(await run("import os\nos.path.exists('/workspace/sprung')")).toBe("False");
});

test("an object that takes for ever to say what it has costs nobody the session", async () => {
  await run(`import time
kept = 'still here'
class Slow:
    def __dir__(self):
        while True: time.sleep(0.01)
class Stubborn:
    def __dir__(self):
        while True:
            try: time.sleep(0.01)
            except BaseException: pass
slow = Slow()
stubborn = Stubborn()`);
  expect(await offered("slow.")).toEqual([]);
  expect(await run("kept")).toBe("'still here'");
  expect(await offered("stubborn.")).toEqual([]);
  // This one had to be ended: nothing less stops it, and the next cell works.
  const after = await sandbox.python("1 + 1");
  expect(after.results[0]?.text).toBe("2");
});

test("thousands of names are offered as far as a message goes", async () => {
  await run("globals().update({f'name_{i}_{\"ü\" * 100}': i for i in range(5000)})");
  const { length } = await offered("name_");
  expect(length).toBeGreaterThan(5);
  expect(length).toBeLessThan(1000);
  expect(await run(`name_7_${"ü".repeat(100)}`)).toBe("7");
});
