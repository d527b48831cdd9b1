// `npm test` itself, cut off in the middle: it ends what it started and leaves nothing behind.
import { spawn } from "node:child_process";
import { glob, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { cleanEnv, root } from "../support/cove.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test.each([
  ["database", "SIGINT", embeddedRuns],
  ["postgres", "SIGTERM", debiansRuns],
] as const)("the stage %s, ended by %s, takes its Postgres along", async (stage, signal, runs) => {
  const place = await temporaryDirectory();
  const child = spawn(process.execPath, ["scripts/test.ts", stage], {
    cwd: root,
    env: cleanEnv({ TMPDIR: place }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await expect.poll(() => runs(place), { timeout: 60_000 }).toBe(true);

  child.kill(signal);
  expect(await ended, output).toBe(130);
  expect(output).toContain("✗ Interrupted.");
  expect(await readdir(place)).toEqual([]);
  expect(await processesNaming(place)).toEqual([]);
  await rm(place, { recursive: true });
});

async function embeddedRuns(place: string): Promise<boolean> {
  for await (const found of glob("*/cove-test-*", { cwd: place }))
    if (await embeddedPostgresUrl(path.join(place, found))) return true;
  return false;
}

async function debiansRuns(place: string): Promise<boolean> {
  for await (const _ of glob("*/cove-postgres-*/data/postmaster.pid", { cwd: place })) return true;
  return false;
}

async function processesNaming(place: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(lines)).filter((line) => line.includes(place));
}
