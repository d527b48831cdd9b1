import { rename, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { dockerEngine, memoryOwnership } from "#sandbox/index.ts";
import { newInstallation } from "../support/installation.ts";
import { sandboxesOfTest, stateOf, until } from "../support/opened-sandboxes.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";
import { away, unsteadyEngine } from "../support/unsteady-engine.ts";

const start = sandboxesOfTest();

const warmCount = async ({ sandboxes }: TestSandboxes) =>
  (await sandboxes.list()).filter(({ state }) => state === "warm").length;

test("a new user takes a warm sandbox, which is replaced in the background", async () => {
  const all = await start({ warmPool: 1 });
  await until(async () => (await warmCount(all)) === 1);
  const [warm] = await all.sandboxes.list();
  const sandbox = await all.sandboxes.open("ann");
  expect(sandbox.id).toBe(warm?.id);
  expect(await all.sh("ann", "echo hello")).toBe("hello");
  await until(async () => (await warmCount(all)) === 1);
});

test("a hundred users at once each get a sandbox of their own, warm or not", async () => {
  const all = await start({ warmPool: 2 });
  const users = Array.from({ length: 100 }, (_, index) => `user${index}`);
  const ids = await Promise.all(users.map(async (userId) => (await all.sandboxes.open(userId)).id));
  expect(new Set(ids).size).toBe(100);
  const uids = (await all.options.ownership?.list())?.map(({ uid }) => uid) ?? [];
  expect(new Set(uids).size).toBe(uids.length);
});

test("calls of one user at the same time share one sandbox and one start", async () => {
  const all = await start();
  const outputs = await Promise.all(
    Array.from({ length: 8 }, () => all.sh("ann", "cat /proc/sys/kernel/random/boot_id; hostname")),
  );
  expect(new Set(outputs).size).toBe(1);
  expect(await all.containers()).toHaveLength(1);
});

test("what one user leaves in the workspace no other sees", async () => {
  const all = await start();
  await all.sh("ann", "echo secret > /workspace/note");
  expect(await all.sh("bob", "ls /workspace | grep note")).toBe("");
});

test("a new user waits for an engine that is being restarted", async () => {
  const { docker, fail } = unsteadyEngine();
  const all = await start({ engine: dockerEngine({ docker }) });
  fail(() => away);
  const running = all.sh("ann", "echo here");
  await sleep(1000);
  fail();
  expect(await running).toBe("here");
});

test("an engine that is away when a sandbox is to be connected doesn't cost it its life", async () => {
  const { docker, fail } = unsteadyEngine();
  const all = await start({ engine: dockerEngine({ docker }), enginePatienceMs: 500 });
  await all.sh("ann", "true");
  const bootId = async () => (await (await all.sandboxes.open("ann")).info()).bootId;
  const before = await bootId();
  fail(() => away);
  await expect(all.sh("ann", "pkill -x nc; sleep 60", 90_000)).resolves.toBe("");
  await expect(all.sh("ann", "true")).rejects.toMatchObject({ code: "engine_unavailable" });
  fail();
  expect(await bootId()).toBe(before);
});

test("stop frees the memory, reset gives a new container, destroy takes the workspace too", async () => {
  const all = await start();
  const container = await all.container("ann");
  await all.sh("ann", "echo kept > /workspace/note; echo lost > /tmp/note");
  const { Id: first } = await container.inspect();
  await all.sandboxes.stop("ann");
  expect(await stateOf(all, "ann")).toBe("stopped");
  expect(await all.sh("ann", "cat /workspace/note; cat /tmp/note 2>/dev/null")).toBe("kept");
  await all.sandboxes.reset("ann");
  expect(await all.sh("ann", "cat /workspace/note")).toBe("kept");
  expect((await container.inspect()).Id).not.toBe(first);
  const before = await all.sandboxes.open("ann");
  await all.sandboxes.destroy("ann");
  expect(await all.containers()).toEqual([]);
  expect(await all.mounts()).toEqual([]);
  await expect(before.run("true")).rejects.toMatchObject({ code: "sandbox_gone" });
  expect(await all.sandboxes.status("ann")).toBeUndefined();
  expect(await all.sh("ann", "cat /workspace/note 2>/dev/null || echo fresh")).toBe("fresh");
});

test("forgetting results that are recorded starts no sandbox that was stopped meanwhile", async () => {
  const all = await start();
  const sandbox = await all.sandboxes.open("ann");
  const { executionId } = await sandbox.run("true", { keep: true });
  await all.sandboxes.stop("ann");
  await sandbox.collect(executionId);
  expect(await stateOf(all, "ann")).toBe("stopped");
});

test("a user who comes back while their sandbox is being destroyed gets a new one", async () => {
  const all = await start();
  await all.sh("ann", "echo old > /workspace/note");
  const destroyed = all.sandboxes.destroy("ann");
  const [, output] = await Promise.all([
    destroyed,
    all.sh("ann", "cat /workspace/note 2>/dev/null || echo fresh"),
  ]);
  expect(output).toBe("fresh");
});

test("closing removes containers, mounts and warm sandboxes, and keeps the workspaces", async () => {
  const ownership = memoryOwnership();
  const all = await start({ warmPool: 1, ownership });
  await until(async () => (await warmCount(all)) === 1);
  await all.sh("ann", "echo kept > /workspace/note");
  await until(async () => (await warmCount(all)) === 1);
  const sandbox = await all.sandboxes.open("ann");
  await all.sandboxes.close();
  expect(await all.containers()).toEqual([]);
  expect(await all.mounts()).toEqual([]);
  expect((await ownership.list()).map(({ userId }) => userId)).toEqual(["ann"]);
  await expect(sandbox.run("true")).rejects.toMatchObject({ code: "closed" });
  await expect(all.sandboxes.open("bob")).rejects.toMatchObject({ code: "closed" });

  const next = await start({ ownership }, all.at);
  expect(await next.sh("ann", "cat /workspace/note")).toBe("kept");
});

test("a server that keeps its sandboxes hands them to the next one, running, warm ones included", async () => {
  const ownership = memoryOwnership();
  const first = await start({ warmPool: 1, ownership });
  await first.sh("ann", "echo kept > /tmp/note");
  await until(async () => (await warmCount(first)) === 1);
  const sandbox = await first.sandboxes.open("ann");
  const { executionId } = await sandbox.run("sleep 1; echo survived", { background: true });
  const before = (await first.containers()).map(({ Id }) => Id).sort();
  await first.sandboxes.close("keep");

  const second = await start({ warmPool: 1, ownership }, first.at);
  expect(await warmCount(second)).toBe(1);
  expect((await second.containers()).map(({ Id }) => Id).sort()).toEqual(before);
  expect(await second.sh("ann", "cat /tmp/note")).toBe("kept");
  const result = await (await second.sandboxes.open("ann")).attach(executionId);
  expect([result.status, result.stdout.toString()]).toEqual(["completed", "survived\n"]);
});

test("boot sweeps what nobody owns, of its own installation only", async () => {
  const mine = await start();
  const other = await start();
  await mine.sh("ann", "true");
  await other.sh("bob", "true");
  await mine.sandboxes.close("keep");

  const next = await start({ ownership: memoryOwnership() }, mine.at);
  expect(await mine.containers()).toEqual([]);
  expect(await other.containers()).toHaveLength(1);
  expect(await other.sh("bob", "echo fine")).toBe("fine");
  expect(next.warnings.map(({ message }) => message)).toEqual(["Workspaces without an owner are left alone"]);
});

test("a container that works on files of another directory is never taken over, and stops the start", async () => {
  const ownership = memoryOwnership();
  const first = await start({ ownership });
  await first.sh("ann", "echo kept > /workspace/note");
  await first.sandboxes.close("keep");
  const before = (await first.containers()).map(({ Id, Status }) => [Id, Status.split(" ")[0]]);

  const elsewhere = await newInstallation();
  const copy = { ...elsewhere, installation: first.installation };
  await expect(start({ ownership }, copy)).rejects.toThrow(/works on .* isn't this installation's/);
  expect((await first.containers()).map(({ Id, Status }) => [Id, Status.split(" ")[0]])).toEqual(before);
  await elsewhere.cleanUp();

  const next = await start({ ownership }, first.at);
  expect(await next.sh("ann", "cat /workspace/note")).toBe("kept");
});

test("a container whose directory was moved away makes room for one where it is now", async () => {
  const ownership = memoryOwnership();
  const first = await start({ ownership });
  await first.sh("ann", "echo kept > /workspace/note");
  await first.sandboxes.close("keep");
  const [before] = await first.containers();
  const moved = { ...first.at, dataDir: `${first.dataDir}-moved` };
  await rename(first.dataDir, moved.dataDir);
  const next = await start({ ownership }, moved);
  expect(await next.sh("ann", "cat /workspace/note")).toBe("kept");
  expect((await next.containers()).map(({ Id }) => Id)).not.toContain(before?.Id);
  await next.sandboxes.close();
  await rm(moved.dataDir, { recursive: true });
});

test("an idle container of an older image is replaced, and the workspace stays", async () => {
  const at = await newInstallation();
  const [repo = ""] = at.image.split(":");
  const older = `${repo}:${at.installation}`;
  await at.docker.getImage(at.image).tag({ repo, tag: at.installation });
  try {
    const ownership = memoryOwnership();
    const first = await start({ ownership, image: older }, at);
    await first.sh("ann", "echo kept > /workspace/note");
    await first.sandboxes.close("keep");

    const idle = { pauseAfterMs: 200, stopAfterMs: 0, keepResultsMs: 0, everyMs: 100 };
    const second = await start({ ownership, idle }, at);
    expect((await second.sandboxes.status("ann"))?.outdated).toBe(true);
    await until(async () => (await second.containers()).length === 0);
    expect(await second.sh("ann", "cat /workspace/note")).toBe("kept");
    expect((await second.sandboxes.status("ann"))?.outdated).toBe(false);
  } finally {
    await at.docker.getImage(older).remove();
  }
});

test("with a soft quota everything works the same on a plain volume", async () => {
  const all = await start({ disk: { bytes: 64 * 2 ** 20, reserveBytes: 0, quota: "soft" } });
  expect(all.sandboxes.quota).toEqual({ kind: "soft", reason: "A soft quota was asked for." });
  await all.sh("ann", "echo kept > /workspace/note");
  await all.sandboxes.reset("ann");
  expect(await all.sh("ann", "cat /workspace/note")).toBe("kept");
  await all.sandboxes.destroy("ann");
  expect((await all.volumes()).map(({ Labels }) => Labels?.["cove.role"])).toEqual(["shared"]);
});

test("a soft workspace that is too large takes no upload, and one that goes on growing loses its processes", async () => {
  const disk = { bytes: 8 * 2 ** 20, reserveBytes: 0, quota: "soft" as const };
  const all = await start({ disk, idle: { pauseAfterMs: 0, stopAfterMs: 0, everyMs: 100 } });
  const ann = await all.sandboxes.open("ann");
  const growing = await ann.run("while :; do head -c 1M /dev/zero >> big; sleep 0.05; done", {
    timeoutMs: 20_000,
  });
  expect(growing.status).toBe("cancelled");
  await expect(ann.files.write("upload", "x")).rejects.toMatchObject({ code: "no_space" });
  await ann.run("rm big");
  await ann.files.write("upload", "x");
});

test("below the host's reserve new users are refused, those who have a sandbox go on", async () => {
  const ownership = memoryOwnership();
  const first = await start({ ownership });
  await first.sh("ann", "true");
  await first.sandboxes.close();
  const full = await start({ ownership, disk: { bytes: 64 * 2 ** 20, reserveBytes: 2 ** 60 } }, first.at);
  expect(await full.sh("ann", "echo fine")).toBe("fine");
  await expect(full.sandboxes.open("bob")).rejects.toMatchObject({ code: "disk_full" });
  const ann = await full.sandboxes.open("ann");
  await expect(ann.files.write("/workspace/upload", "x")).rejects.toMatchObject({ code: "disk_full" });
});

test("more executions than a user may have at once wait in a queue, and a full queue is refused", async () => {
  const all = await start({ concurrency: { perUser: 2, waitingPerUser: 2 } });
  const sandbox = await all.sandboxes.open("ann");
  await sandbox.run("true");
  const busy = Array.from({ length: 4 }, () => sandbox.run("date +%s%N; sleep 0.5; date +%s%N"));
  await expect(sandbox.run("true")).rejects.toMatchObject({ code: "queue_full" });
  const spans = (await Promise.all(busy)).map(({ stdout }) =>
    stdout.toString().trim().split("\n").map(Number),
  );
  const most = Math.max(
    ...spans.map(([at = 0]) => spans.filter(([from = 0, to = 0]) => from <= at && at < to).length),
  );
  expect(most).toBe(2);
});

test("a missing image is one sentence for the operator", async () => {
  const at = await newInstallation();
  await expect(testSandboxes({ image: "cove-sandbox:missing" }, at)).rejects.toMatchObject({
    code: "image_missing",
    message: expect.stringContaining("restart Cove to build it"),
  });
  await at.cleanUp();
});
