// The container is killed, removed, stopped or paused behind the server's back, while something runs in it.

import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostCommand } from "#sandbox/docker/disk/host-command.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { beginRun } from "../support/begin-run.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let all: TestSandboxes;
let ann: Sandbox;
let container: Docker.Container;
beforeEach(async () => {
  all = await testSandboxes({ pipe: { heartbeatMs: 1500, patienceMs: 1000 } });
  ann = await all.sandboxes.open("ann");
  await ann.run("echo kept > /workspace/note");
  container = await all.container("ann");
});
afterEach(() => all.cleanUp());

const faults: [string, () => Promise<unknown>][] = [
  ["killed", () => container.kill()],
  ["removed", () => container.remove({ force: true })],
  ["stopped", () => container.stop({ t: 0 })],
  ["restarted", () => container.restart({ t: 0 })],
];

describe("container removed, paused or killed mid-run", () => {
  test.each(faults)(
    "a container that is %s mid-run: the run is interrupted, and the next call works",
    async (_, fault) => {
      const { end } = await beginRun(ann, "echo begun; sleep 30");
      await fault();
      const started = performance.now();
      const result = await end;
      expect([result.status, result.stdout.toString()]).toEqual(["interrupted", "begun\n"]);
      expect(await all.sh("ann", "cat /workspace/note")).toBe("kept");
      expect(performance.now() - started).toBeLessThan(10_000);
    },
  );

  test.each(faults)("a container that is %s while nobody looks: the next call works", async (_, fault) => {
    // Long enough for the sandbox to be asked whether it is there, before it is used.
    await sleep(250);
    await fault();
    expect(await all.sh("ann", "cat /workspace/note")).toBe("kept");
  });

  test("a container that is paused mid-run is resumed, and the run completes", async () => {
    const { end } = await beginRun(ann, "echo begun; sleep 1; echo done");
    await container.pause();
    const result = await end;
    expect([result.status, result.stdout.toString()]).toEqual(["completed", "begun\ndone\n"]);
  });

  test("a container that is paused while nobody looks is resumed by the next call", async () => {
    await container.pause();
    expect(await all.sh("ann", "cat /workspace/note")).toBe("kept");
  });

  test("a container that was paused by us and is then killed starts again", async () => {
    const paused = await testSandboxes({ idle: { pauseAfterMs: 100, stopAfterMs: 0, everyMs: 50 } });
    try {
      await paused.sh("ann", "echo kept > /workspace/note");
      await expect.poll(async () => (await paused.sandboxes.status("ann"))?.state).toBe("paused");
      await (await paused.container("ann")).kill();
      expect(await paused.sh("ann", "cat /workspace/note")).toBe("kept");
    } finally {
      await paused.cleanUp();
    }
  });

  test("a disk that was unmounted under a running sandbox harms neither it nor the next start", async () => {
    for (const point of await all.mounts()) await hostCommand("umount", [point]);
    expect(await all.sh("ann", "cat /workspace/note; echo more >> /workspace/note")).toBe("kept");
    await all.sandboxes.stop("ann");
    expect(await all.sh("ann", "cat /workspace/note")).toBe("kept\nmore");
    expect(await all.mounts()).toHaveLength(1);
  });

  test("a warm sandbox that dies is replaced before anybody gets it", async () => {
    const pooled = await testSandboxes({
      warmPool: 1,
      idle: { pauseAfterMs: 0, stopAfterMs: 0, everyMs: 100 },
    });
    try {
      const warm = async () => (await pooled.sandboxes.list()).find(({ state }) => state === "warm");
      await expect.poll(warm, { timeout: 60_000 }).toBeDefined();
      await pooled.docker.getContainer(`cove-${(await warm())?.id}`).remove({ force: true });
      const started = performance.now();
      expect(await pooled.sh("bob", "echo fine")).toBe("fine");
      expect(performance.now() - started).toBeLessThan(10_000);
    } finally {
      await pooled.cleanUp();
    }
  });
});
