// Sandboxes that nobody uses: paused, stopped, and back with the next command.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { dockerEngine } from "#sandbox/index.ts";
import { sandboxesOfTest, stateOf, until } from "../support/sandboxes-of-test.ts";
import { unsteadyEngine } from "../support/unsteady-engine.ts";

const start = sandboxesOfTest();

test("a sandbox that is idle is paused, and resumes with the next command where it was", async () => {
  const all = await start({ idle: { pauseAfterMs: 300, stopAfterMs: 0, everyMs: 100 } });
  await all.sh("ann", "echo kept > /tmp/note");
  await until(async () => (await stateOf(all, "ann")) === "paused");
  expect(await all.sh("ann", "cat /tmp/note")).toBe("kept");
  expect(await stateOf(all, "ann")).toBe("active");
});

test("a sandbox is not paused while a background execution runs, nor while anything is left of one", async () => {
  const all = await start({ idle: { pauseAfterMs: 200, stopAfterMs: 400, keepResultsMs: 0, everyMs: 100 } });
  const sandbox = await all.sandboxes.open("ann");
  await all.sh("bob", "setsid sleep 1000 > /dev/null 2>&1 &");
  const { executionId } = await sandbox.run("sleep 2; echo done", { background: true });
  await sleep(1000);
  expect([await stateOf(all, "ann"), await stateOf(all, "bob")]).toEqual(["active", "active"]);
  expect((await sandbox.attach(executionId)).stdout.toString()).toBe("done\n");
  await all.sh("bob", "pkill sleep");
  await until(async () => (await stateOf(all, "bob")) === "stopped");
});

test("a sandbox with a result that nobody has collected is paused, but not stopped", async () => {
  const all = await start({ idle: { pauseAfterMs: 800, stopAfterMs: 1000, everyMs: 100 } });
  const sandbox = await all.sandboxes.open("ann");
  const { executionId } = await sandbox.run("echo done", { background: true });
  await until(async () => (await stateOf(all, "ann")) === "paused");
  await sleep(1500);
  expect(await stateOf(all, "ann")).toBe("paused");
  expect((await sandbox.attach(executionId)).stdout.toString()).toBe("done\n");
  await until(async () => (await stateOf(all, "ann")) === "stopped");
});

test("a sandbox whose relay dies while nobody uses it is put to rest all the same", async () => {
  const all = await start({ idle: { pauseAfterMs: 1000, stopAfterMs: 0, everyMs: 100 } });
  await all.sh("ann", "(sleep 0.5; pkill -9 -x nc) > /dev/null 2>&1 &");
  await until(async () => (await stateOf(all, "ann")) === "paused");
  expect(await all.sh("ann", "echo works")).toBe("works");
});

test("a daemon that is slow to answer is asked again, and its idle time goes on meanwhile", async () => {
  const all = await start({ idle: { pauseAfterMs: 300, stopAfterMs: 0, everyMs: 100 } });
  await all.sh("ann", "true");
  const lastUsed = async () => (await all.sandboxes.status("ann"))?.lastUsed.getTime();
  const before = await lastUsed();
  const { State } = await (await all.container("ann")).inspect();
  process.kill(State.Pid, "SIGSTOP");
  await sleep(3000);
  expect(await lastUsed()).toBe(before);
  process.kill(State.Pid, "SIGCONT");
  await until(async () => (await stateOf(all, "ann")) === "paused");
});

test("a freeze that failed halfway is undone, and the sandbox works on", async () => {
  const { docker, fail } = unsteadyEngine();
  const all = await start({
    engine: dockerEngine({ docker }),
    idle: { pauseAfterMs: 300, stopAfterMs: 0, everyMs: 100 },
  });
  fail((path) =>
    path.includes("/pause") ? { when: "after", error: new Error("cannot freeze") } : undefined,
  );
  await all.sh("ann", "true");
  await until(async () => all.warnings.some(({ message }) => message.startsWith("Housekeeping failed")));
  expect(await all.sh("ann", "echo alive")).toBe("alive");
  fail();
  await until(async () => (await stateOf(all, "ann")) === "paused");
});

test("after a longer idle time it is stopped, its disk detached, and the next command starts it again", async () => {
  const all = await start({ idle: { pauseAfterMs: 700, stopAfterMs: 1000, everyMs: 100 } });
  await all.sh("ann", "echo kept > /workspace/note");
  await until(async () => (await stateOf(all, "ann")) === "stopped" && (await all.mounts()).length === 0);
  expect(await all.sh("ann", "cat /workspace/note")).toBe("kept");
});

test("a command that comes while the sandbox is being paused or stopped just runs", async () => {
  const all = await start({ idle: { pauseAfterMs: 1, stopAfterMs: 40, keepResultsMs: 0, everyMs: 5 } });
  for (let round = 0; round < 25; round++) {
    expect(await all.sh("ann", `echo ${round}`)).toBe(String(round));
    await sleep(round * 3);
  }
});
