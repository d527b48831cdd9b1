// `npm start` as people meet it: fresh, a second time, killed, beside another one.
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { type Cove, removeSharedVolume, root, spawnCove, startCove } from "../support/cove.ts";
import { takeDatabaseAway } from "../support/database-away.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const started: Cove[] = [];

afterEach(async () => {
  for (const cove of started.splice(0)) await cove.stop();
});

async function start(overrides: Record<string, string | undefined> = {}, copy?: string): Promise<Cove> {
  const cove = await startCove(overrides, copy);
  started.push(cove);
  return cove;
}

test("a copy under root's 0700 home needs no step before `npm start`, and says where the data went", {
  timeout: 600_000,
}, async () => {
  const home = await temporaryDirectory();
  await chmod(home, 0o700);
  const clone = path.join(home, "cove");
  await copySources(clone);

  const cove = await start({}, clone);
  expect(cove.output()).toMatch(/✓ Packages installed/);
  expect(cove.output()).toMatch(/✓ Application built/);
  const moved = /Postgres in (\/var\/lib\/cove\/[0-9a-f-]{36})\/postgres/.exec(cove.output())?.[1];
  if (process.getuid?.() === 0) expect(moved).toBeDefined();
  expect(await health(cove)).toEqual({
    status: "ok",
    version: expect.any(String),
    database: "ok",
    sandbox: "ok",
  });
  expect(await cove.stop()).toBe(0);
  expect(processesIn(clone)).toEqual([]);

  const again = await start({ PORT: cove.env.PORT }, clone);
  expect(again.output()).not.toMatch(/Packages installed|Application built/);
  expect(await health(again)).toMatchObject({ status: "ok" });
  expect(await again.stop()).toBe(0);

  await removeSharedVolume(path.join(clone, ".data"));
  if (moved) await rm(moved, { recursive: true });
  await rm(home, { recursive: true });
});

test("a killed launcher takes its server with it, and the next start takes over the database", async () => {
  const dataDir = await temporaryDirectory();
  const killed = await start({ COVE_DATA_DIR: dataDir });
  killed.process.kill("SIGKILL");
  await expect.poll(() => health(killed).catch(() => "gone"), { timeout: 20_000 }).toBe("gone");

  const next = await start({ COVE_DATA_DIR: dataDir });
  expect(next.output()).toContain("Embedded Postgres was already running");
  expect(await health(next)).toMatchObject({ status: "ok" });
  expect(await next.stop()).toBe(0);
  expect(await embeddedPostgresUrl(dataDir)).toBeUndefined();
  await removeSharedVolume(dataDir);
  await rm(dataDir, { recursive: true });
});

test("a second server on the same installation waits, then ends with a sentence and touches nothing", async () => {
  const dataDir = await temporaryDirectory();
  const first = await start({ COVE_DATA_DIR: dataDir });
  const second = await spawnCove({ COVE_DATA_DIR: dataDir });
  const code = await new Promise((resolve) => second.process.once("exit", resolve));
  expect(code).toBe(1);
  expect(second.output()).toContain(
    "Another Cove server owns this installation and did not end within 30 s.",
  );
  expect(await health(first)).toMatchObject({ status: "ok" });
  await first.stop();
  await removeSharedVolume(dataDir);
  await rm(dataDir, { recursive: true });
});

test("it runs on a database of one's own", async () => {
  const cove = await start({ DATABASE_URL: process.env.COVE_TEST_DATABASE_URL });
  expect(cove.output()).toContain("Database from DATABASE_URL");
  expect(await health(cove)).toMatchObject({ status: "ok", database: "ok" });
});

test("while the database is away /health says so, and it is well again once the database is back", async () => {
  const cove = await start();
  const back = await takeDatabaseAway(cove);
  await expect
    .poll(() => health(cove), { timeout: 20_000 })
    .toMatchObject({ status: "degraded", database: "down" });
  await back();
  await expect.poll(() => health(cove), { timeout: 20_000 }).toMatchObject({ status: "ok" });
});

async function health(cove: Cove): Promise<unknown> {
  return (await fetch(`${cove.url}/health`)).json();
}

/** What git would clone, as it is in the tree now. */
async function copySources(target: string): Promise<void> {
  await mkdir(target);
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  const archive = execFileSync("tar", ["-c", "--null", "--ignore-failed-read", "-T", "-"], {
    cwd: root,
    input: files,
    maxBuffer: 512 * 2 ** 20,
  });
  execFileSync("tar", ["-x", "-C", target], { input: archive });
}

function processesIn(directory: string): string[] {
  return execFileSync("sh", ["-c", "ls -l /proc/[0-9]*/cwd 2>/dev/null || true"], { encoding: "utf8" })
    .split("\n")
    .filter((entry) => entry.includes(directory));
}
