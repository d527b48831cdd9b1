import { execFileSync } from "node:child_process";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { imageDisks } from "#sandbox/docker/disk/image-disks.ts";
import { runHelper } from "#sandbox/docker/helper-container.ts";
import { openWorkspaces } from "#sandbox/docker/workspaces.ts";
import { type Installation, newInstallation } from "../support/installation.ts";

const MB = 2 ** 20;
let at: Installation;
beforeAll(async () => {
  at = await newInstallation();
});
afterAll(() => at.cleanUp());

const disksOf = (bytes: number) => imageDisks({ directory: join(at.dataDir, "disks"), bytes });
const inside = (script: string, mount: ReturnType<ReturnType<typeof disksOf>["mountSettings"]>) =>
  runHelper(at, { script, mounts: [{ ...mount, Target: "/workspace" }] });

test("as root on the engine's own host, quotas are hard", async () => {
  const directory = join(at.dataDir, "tried");
  await mkdir(directory);
  const workspaces = await openWorkspaces(at, { directory, bytes: 64 * MB, reserveBytes: 0 });
  expect(workspaces.quota).toEqual({ kind: "hard" });
  expect(await readdir(directory)).toEqual([]);
});

test("a new disk is thin, belongs to its uid and is mounted without setuid and devices", async () => {
  const disks = disksOf(64 * MB);
  await disks.create("thin", 20_123);
  await disks.attach("thin");
  const image = await stat(join(at.dataDir, "disks", "thin.img"));
  expect(image.size).toBe(64 * MB);
  expect(image.blocks * 512).toBeLessThan(2 * MB);
  const seen = await inside("stat -c '%u:%g %a' /workspace; ls -A /workspace; grep /workspace /proc/mounts", {
    ...disks.mountSettings("thin"),
  });
  expect(seen).toMatch(/^20123:20123 755\n.*nosuid,nodev,noatime/);
  await disks.remove("thin");
});

test("attaching twice mounts once, detaching gives the loop device back and keeps the files", async () => {
  const disks = disksOf(64 * MB);
  await disks.create("kept", 20_000);
  await disks.attach("kept");
  await disks.attach("kept");
  expect(await at.mounts()).toHaveLength(1);
  await inside("echo hello > /workspace/note", disks.mountSettings("kept"));
  await disks.detach("kept");
  await disks.detach("kept");
  expect(await at.mounts()).toEqual([]);
  expect(execFileSync("losetup", ["-a"]).toString()).not.toContain(at.dataDir);
  await disks.attach("kept");
  expect(await inside("cat /workspace/note", disks.mountSettings("kept"))).toBe("hello");
  await disks.remove("kept");
  expect(await disks.list()).toEqual([]);
});

test("a container can't be started on a disk that isn't attached", async () => {
  const disks = disksOf(64 * MB);
  await disks.create("away", 20_000);
  await expect(inside("true", disks.mountSettings("away"))).rejects.toThrow("does not exist");
  await disks.remove("away");
});

test("a raised limit reaches an existing disk when it is attached again, with its files", async () => {
  await disksOf(64 * MB).create("grown", 20_000);
  await disksOf(64 * MB).attach("grown");
  await inside("echo hello > /workspace/note", disksOf(64 * MB).mountSettings("grown"));
  await disksOf(64 * MB).detach("grown");
  await disksOf(128 * MB).attach("grown");
  const seen = await inside("cat /workspace/note; df -m --output=size /workspace | tail -1", {
    ...disksOf(64 * MB).mountSettings("grown"),
  });
  expect(seen.split("\n")[0]).toBe("hello");
  expect(Number(seen.split("\n")[1])).toBeGreaterThan(100);
  await disksOf(128 * MB).remove("grown");
});

test("what was deleted goes back to the host by a trim, and is promised to the disk while it is mounted", async () => {
  const workspaces = await openWorkspaces(at, {
    directory: join(at.dataDir, "trimmed"),
    bytes: 256 * MB,
    reserveBytes: 2 ** 60,
    quota: "hard",
  });
  const disks = imageDisks({ directory: join(at.dataDir, "trimmed"), bytes: 256 * MB });
  const held = async () => (await stat(join(at.dataDir, "trimmed", "big.img"))).blocks * 512;
  const reserve = async () => {
    const refused = await workspaces.requireRoom().catch((error: Error) => error.message);
    return Number(/(\d+) MB are kept in reserve/.exec(String(refused))?.[1]) - 2 ** 40;
  };
  await disks.create("big", 20_000);
  await workspaces.attach("big");
  const mount = await workspaces.mountOf("big");
  await inside("dd if=/dev/urandom of=/workspace/big bs=1M count=150 2>/dev/null; sync", mount);
  expect(await held()).toBeGreaterThan(150 * MB);
  await workspaces.trim("big");
  expect(await held()).toBeGreaterThan(150 * MB);
  expect(await reserve()).toBe(0);

  await inside("rm /workspace/big", mount);
  await workspaces.trim("big");
  expect(await held()).toBeLessThan(30 * MB);
  expect(await reserve()).toBeGreaterThan(120);
  await inside("dd if=/dev/urandom of=/workspace/big bs=1M count=100 2>/dev/null; sync", mount);
  expect(await reserve()).toBeLessThan(60);

  await workspaces.detach("big");
  expect(await reserve()).toBe(0);
  await workspaces.attach("big");
  expect(await inside("du -m /workspace/big", mount)).toMatch(/^10\d/);
  await workspaces.remove("big");
});

test("a trim that is under way doesn't keep a disk from being detached", async () => {
  const disks = disksOf(256 * MB);
  await disks.create("busy", 20_000);
  await disks.attach("busy");
  const mount = disks.mountSettings("busy");
  await inside(
    "dd if=/dev/zero of=/workspace/big bs=1M count=100 2>/dev/null; sync; rm /workspace/big",
    mount,
  );
  const trimmed = disks.trim("busy");
  await disks.detach("busy");
  await trimmed;
  expect(await at.mounts()).toEqual([]);
  await disks.remove("busy");
});

test("a disk that can't be attached is an error by name, which tells nobody where it lies", async () => {
  const disks = disksOf(8 * MB);
  await writeFile(join(at.dataDir, "disks", "broken.img"), Buffer.alloc(8 * MB));
  const error = await disks.attach("broken").catch((error) => error);
  expect(error).toMatchObject({ code: "engine_failed", cause: expect.any(Error) });
  expect(error.message).not.toContain(at.dataDir);
  await disks.remove("broken");
});

test("what a crash left halfway is listed and can be removed", async () => {
  const disks = disksOf(64 * MB);
  await writeFile(join(at.dataDir, "disks", "half.img.new"), "");
  expect(await disks.list()).toEqual(["half"]);
  await disks.remove("half");
  expect(await disks.list()).toEqual([]);
});

test("a soft workspace is a labelled volume that belongs to its uid", async () => {
  const options = { directory: at.dataDir, bytes: 64 * MB, reserveBytes: 0, quota: "soft" as const };
  const workspaces = await openWorkspaces(at, options);
  expect(workspaces.quota.kind).toBe("soft");
  await workspaces.create("soft", 20_456);
  const [volume] = await at.volumes();
  expect(volume?.Labels).toMatchObject({ cove: at.installation, "cove.sandbox": "soft" });
  expect(await inside("stat -c %u:%g /workspace", await workspaces.mountOf("soft"))).toBe("20456:20456");
  expect([await workspaces.exists("soft"), await workspaces.exists("other")]).toEqual([true, false]);
  await workspaces.remove("soft");
  expect(await at.volumes()).toEqual([]);
});

test("a helper that fails is an error with what it printed", async () => {
  await expect(runHelper(at, { script: "echo no; exit 3", mounts: [] })).rejects.toMatchObject({
    code: "engine_failed",
    message: "A helper container ended with code 3: no",
  });
  expect(await at.containers()).toEqual([]);
});

test("below the reserve no new workspace is made, and the sentence says why", async () => {
  const options = { directory: at.dataDir, bytes: 64 * MB, reserveBytes: 2 ** 60 };
  const workspaces = await openWorkspaces(at, options);
  await expect(workspaces.create("late", 20_000)).rejects.toMatchObject({
    code: "disk_full",
    message: expect.stringMatching(/almost full .*reserve.*free space/),
  });
  expect(await workspaces.exists("late")).toBe(false);
});
