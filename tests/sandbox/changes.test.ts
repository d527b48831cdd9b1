// Which files a run changed, in a real container: commands and cells. How exactly is in sandbox/run/changes.test.ts.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunResult, Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes({ limits: { memoryBytes: 512 * 2 ** 20 } });
  sandbox = await fixture.sandboxes.open("changer");
});
afterAll(() => fixture.cleanUp());

test("a command's files are told, by whatever way they came to be", async () => {
  const command = `echo 1 > outputs/a.txt; mkdir -p deep/er; cp /etc/hostname deep/er/b; ln -s /etc/passwd link
    echo 1 > /mnt/data/by-alias; echo 1 > /tmp/elsewhere; python3 -c "open('c', 'w').write('1')"`;
  expect(paths(await sandbox.run(command))).toEqual(["c", "deep/er/b", "outputs/a.txt", "outputs/by-alias"]);
});

test("a cell's files are told, an open one as far as it is written", async () => {
  const cell = `import pandas as pd, matplotlib.pyplot as plt
pd.DataFrame({"a": [1]}).to_csv("outputs/table.csv")
plt.plot([1, 2]); plt.savefig("outputs/plot.png")
log = open("log.txt", "w"); log.write("begun"); log.flush()`;
  expect(paths(await sandbox.python(cell))).toEqual(["log.txt", "outputs/plot.png", "outputs/table.csv"]);
  expect(paths(await sandbox.python("x = 1"))).toEqual([]);
  const again = await sandbox.python("log.write(' and gone on'); log.flush()");
  expect(again.changes).toMatchObject([{ path: "/workspace/log.txt", size: 17 }]);
});

test("a cell that fails, is interrupted or loses its session is told, too", async () => {
  expect(paths(await sandbox.python("open('failed', 'w').close(); 1 / 0"))).toEqual(["failed"]);
  const interrupted = await sandbox.python("import time; open('cut', 'w').close(); time.sleep(60)", {
    timeoutMs: 3000,
  });
  expect(interrupted.status).toBe("timeout");
  expect(paths(interrupted)).toEqual(["cut"]);
  const lost = await sandbox.python("import os; open('lost', 'w').close(); os._exit(3)");
  expect(paths(lost)).toContain("lost");
});

test("two sessions and a command at once are each told what happened meanwhile", async () => {
  const cell = (name: string) =>
    `import time, os\nopen(${JSON.stringify(name)}, "w").close()\nwhile not os.path.exists("go"): time.sleep(0.02)`;
  const [one, two, three] = await Promise.all([
    sandbox.python(cell("one"), { session: "one" }),
    sandbox.python(cell("two"), { session: "two" }),
    sandbox.run("until [ -e one ] && [ -e two ]; do sleep 0.02; done; touch go; sleep 0.5"),
  ]);
  expect(paths(one)).toEqual(expect.arrayContaining(["one", "go"]));
  expect(paths(two)).toEqual(expect.arrayContaining(["two", "go"]));
  expect(paths(three)).toContain("go");
});

test("an environment made on the way is nobody's result", async () => {
  const made = await sandbox.run("python3 -m venv --without-pip venv && echo done > report", {
    timeoutMs: 60_000,
  });
  expect(made.stderr.toString()).toBe("");
  expect(paths(made)).toEqual(["report"]);
  expect(paths(await sandbox.run("echo 1 > venv/lib/x; echo 2 > report"))).toEqual(["report"]);
});

test("found again after a break, the run still knows its files", async () => {
  const executionId = "7b1a0a0e-0000-4000-8000-000000000001";
  await sandbox.run("echo 1 > kept; sleep 0.3", { executionId, background: true, keep: true });
  expect(paths(await sandbox.attach(executionId, { keep: true }))).toEqual(["kept"]);
  expect(paths(await sandbox.attach(executionId))).toEqual(["kept"]);
});

function paths({ changes }: RunResult): string[] {
  return changes.map(({ path }) => path.replace("/workspace/", "")).toSorted();
}
