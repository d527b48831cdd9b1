// A data directory is copied and both are started on one engine: by the id in it they would take each other's containers.
import { execFile, execFileSync } from "node:child_process";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { mountTable } from "#sandbox/docker/disk/mounts.ts";
import { type Caller, callerWith, newCaller } from "../support/caller.ts";
import { type Cove, removeInstallation, root, spawnCove, startCove } from "../support/cove.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Each of these tests starts a Cove more than once. */
const PATIENCE_MS = 400_000;
let folder: string;
let original: Cove;
let ada: Caller;
const running = new Set<Cove>();
const at = (name: string) => path.join(folder, name);
const start = async (name: string) => {
  const cove = await startCove({ COVE_DATA_DIR: at(name) });
  running.add(cove);
  return cove;
};
const stop = async (cove: Cove) => {
  await cove.stop();
  running.delete(cove);
};

beforeAll(async () => {
  folder = await temporaryDirectory();
  original = await start("original");
  ada = await newCaller(original);
  // Copied files are those that have reached the disk.
  await run(original, "echo original > note; sync -f .");
});
afterAll(async () => {
  for (const cove of running) await cove.stop();
  for (const name of await readdir(folder)) await removeInstallation(at(name));
  await rm(folder, { recursive: true });
});

describe("a copy of an installation on the same engine", () => {
  test(
    "is refused beside the running original, which never notices",
    async () => {
      const ticks = "for n in $(seq 600); do echo $n; sleep 0.1; done";
      const { body } = await ada.execute("execute_bash", { command: ticks, background: true, timeout: 120 });
      execFileSync("cp", ["-a", at("original"), at("copy")]);
      const before = await held("original");
      expect(before.containers).toHaveLength(1);

      await expectRefusal("copy");
      expect(await held("original")).toEqual(before);
      expect([...(await mountTable()).keys()].filter((point) => point.startsWith(at("copy")))).toEqual([]);
      const end = await ada.execute("check_execution", { execution_id: body.execution_id, wait: 45 });
      expect(["running", "completed"]).toContain(end.body.status);
      expect(end.body.stdout).toMatch(/^1\n2\n3\n/);
      expect(await run(original, "cat note")).toBe("original\n");
    },
    PATIENCE_MS,
  );

  test(
    "nor does the command line touch anything of the original's",
    async () => {
      const before = await held("original");
      const { code, stderr } = await cove("copy", "sandbox", "destroy", ada.email);
      expect([code, stderr]).toEqual([1, expect.stringContaining("This is a copy")]);
      const taken = await cove("copy", "installation", "take");
      expect([taken.code, taken.stderr]).toEqual([
        1,
        expect.stringContaining("stop the Cove they belong to"),
      ]);
      expect(await held("original")).toEqual(before);
    },
    PATIENCE_MS,
  );

  test(
    "is refused as well while the original is stopped, and the original starts again",
    async () => {
      await stop(original);
      const images = await imagesOf("original");
      await expectRefusal("copy");
      expect(await imagesOf("original")).toEqual(images);
      original = await start("original");
      expect(await run(original, "cat note")).toBe("original\n");
    },
    PATIENCE_MS,
  );

  test(
    "runs side by side with it once it has an id of its own, each on its own files",
    async () => {
      const { code, stdout, stderr } = await cove("copy", "installation", "renew");
      expect([code, stderr]).toEqual([0, ""]);
      const renewed = JSON.parse(stdout);
      expect(renewed).toMatchObject({ before: await installationName(at("original")), workspaces: 1 });
      expect(renewed.installation).toBe(await installationName(at("copy")));

      const copy = await start("copy");
      expect(await run(copy, "cat note; echo copy > note; echo more > only-here")).toBe("original\n");
      expect(await run(original, "cat note; test -e only-here || echo alone")).toBe("original\nalone\n");
      await run(original, "echo changed > note; sync -f .");
      expect(await run(copy, "cat note")).toBe("copy\n");
      const [one, other] = [await held("original"), await held("copy")];
      expect([one.containers.length, other.containers.length]).toEqual([1, 1]);
      expect(one.containers).not.toEqual(other.containers);
      await stop(copy);
      expect(await run(original, "cat note")).toBe("changed\n");
    },
    PATIENCE_MS,
  );

  test(
    "an original whose processes were all killed starts again on its files",
    async () => {
      const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
      original.process.kill("SIGKILL");
      for (const pid of processes) if (await belongsTo(pid, at("original"))) process.kill(pid, "SIGKILL");
      running.delete(original);
      original = await start("original");
      expect(await run(original, "cat note")).toBe("changed\n");
    },
    PATIENCE_MS,
  );

  test(
    "a directory that was moved while nothing ran is still the owner, and a copy in its old place isn't",
    async () => {
      await stop(original);
      await rename(at("original"), at("moved"));
      const moved = await start("moved");
      expect(await run(moved, "cat note")).toBe("changed\n");
      await stop(moved);
      execFileSync("cp", ["-a", at("moved"), at("original")]);
      await expectRefusal("original", "moved");
    },
    PATIENCE_MS,
  );

  test(
    "a copy whose original is gone goes on in its place",
    async () => {
      execFileSync("rm", ["-r", at("moved")]);
      const restored = await start("original");
      expect(await run(restored, "cat note")).toBe("changed\n");
      await stop(restored);
    },
    PATIENCE_MS,
  );
});

async function expectRefusal(name: string, owner = "original"): Promise<void> {
  const second = await spawnCove({ COVE_DATA_DIR: at(name) });
  // One that isn't refused would go on for ever.
  const served = () => second.process.exitCode === null && /Ctrl-C stops it/.test(second.output());
  await expect.poll(() => served() || second.process.exitCode, { timeout: 120_000 }).not.toBe(null);
  const code = await second.stop();
  expect([code, second.output()]).toEqual([1, expect.stringContaining("This is a copy")]);
  expect(second.output()).toContain(`${at(owner)}/postgres/data, which is still there. Nothing was touched.`);
  expect(second.output()).toContain("npm run -s cove -- installation renew");
}

/** What ada's command prints, at whichever Cove: copies know her, too. */
async function run(where: Cove, command: string): Promise<string> {
  const caller = callerWith(where.url, ada.email, ada.token);
  const { body } = await caller.execute("execute_bash", { command, timeout: 60 });
  expect(body).toMatchObject({ status: "completed", stderr: "" });
  return body.stdout;
}

/** Containers with the time of their start, volumes and mounts. */
async function held(name: string) {
  const docker = connectEngine(process.env.DOCKER_HOST);
  const filters = JSON.stringify({ label: [`cove=${await installationName(at(name))}`] });
  const found = await docker.listContainers({ filters });
  const details = await Promise.all(found.map(({ Id }) => docker.getContainer(Id).inspect()));
  const volumes = ((await docker.listVolumes({ filters })).Volumes ?? []).map(({ Name }) => Name);
  const mounts = [...(await mountTable())].filter(([point]) => point.startsWith(`${at(name)}/`));
  return {
    containers: details.map(({ Id, State }) => `${Id} ${State.StartedAt}`).sort(),
    volumes: volumes.sort(),
    mounts,
  };
}

/** The disk images, byte for byte. */
async function imagesOf(name: string): Promise<string> {
  return execFileSync("sh", [
    "-c",
    'cd "$1" && sha256sum *.img',
    "sh",
    path.join(at(name), "sandboxes/disks"),
  ]).toString();
}

async function belongsTo(pid: number, directory: string): Promise<boolean> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  return `${await read("cmdline")}${await read("environ")}`.includes(directory);
}

function cove(name: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...original.env, COVE_DATA_DIR: at(name) };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["scripts/cove.ts", ...words],
      { cwd: root, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}
