// A place of its own for everything a run of the tests writes. Tests tidy up after themselves; whatever became of one that
// was cut off, processes, containers and mounts included, goes with the place.
import { execFile } from "node:child_process";
import { chmod, glob, mkdtemp, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ELSEWHERE } from "#db/postgres-place.ts";
import { env } from "#env.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { mountTable } from "#sandbox/docker/disk/mounts.ts";

const exec = promisify(execFile);
const PATIENCE_MS = 15_000;
// Most are right there, those of copied sources and of a few tests somewhat deeper.
const DATA_DIRECTORIES = [
  "*/installation",
  "*/*/installation",
  "*/*/*/installation",
  "*/*/.data/installation",
];

/** From here on `tmpdir()` is the place, for this process and all it starts. */
export async function takeOwnPlace(): Promise<{ remove(): Promise<void> }> {
  const place = await mkdtemp(path.join(tmpdir(), "cove-run-"));
  // Postgres runs as a user of its own when we are root.
  await chmod(place, 0o755);
  process.env.TMPDIR = place;
  return { remove: () => remove(place) };
}

async function remove(place: string): Promise<void> {
  const installations = await installationsIn(place);
  const places = [place, ...installations.map((name) => path.join(ELSEWHERE, name))];
  await endProcesses(places);
  if (installations.length > 0) await removeFromEngine(installations);
  for (const point of [...(await mountTable()).keys()].filter((one) => one.startsWith(`${place}/`)).reverse())
    await exec("umount", ["--lazy", point]);
  for (const one of places) await rm(one, { recursive: true, force: true });
  // Where a real installation lives it is not empty, and stays.
  await rmdir(ELSEWHERE).catch(() => undefined);
}

/** Every data directory says whose containers, volumes and Postgres are its own. */
async function installationsIn(place: string): Promise<string[]> {
  const names: string[] = [];
  for await (const file of glob(DATA_DIRECTORIES, { cwd: place }))
    names.push((await readFile(path.join(place, file), "utf8")).trim());
  return names.filter((name) => /^[\w-]+$/.test(name));
}

/** Whatever was started with a path in there: a Postgres, an engine of a test's own, a server. */
async function endProcesses(places: string[]): Promise<void> {
  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    const deadline = Date.now() + PATIENCE_MS;
    for (const pid of await processesOf(places)) kill(pid, signal);
    while ((await processesOf(places)).length > 0 && Date.now() < deadline) await sleep(100);
  }
}

async function processesOf(places: string[]): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (pid !== process.pid && places.some((place) => words.includes(`${place}/`))) found.push(pid);
  }
  return found;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

async function removeFromEngine(installations: string[]): Promise<void> {
  const { DOCKER_HOST, DOCKER_CERT_PATH } = env();
  const engine = connectEngine(DOCKER_HOST, DOCKER_CERT_PATH);
  for (const name of installations) {
    const filters = JSON.stringify({ label: [`cove=${name}`] });
    for (const { Id } of await engine.listContainers({ all: true, filters }))
      await engine.getContainer(Id).remove({ force: true });
    for (const { Name } of (await engine.listVolumes({ filters })).Volumes ?? [])
      await engine.getVolume(Name).remove();
  }
}
