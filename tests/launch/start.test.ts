// `npm start` as people meet it: fresh, a second time, killed, beside another one.
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { installationName } from "#db/installation-name.ts";
import { VARIABLES } from "#env.ts";
import { connectEngine } from "#sandbox/connect-engine.ts";
import { callerWith, newCaller } from "../support/caller.ts";
import { type Cove, removeInstallation, root, startCove } from "../support/cove.ts";
import { takeDatabaseAway } from "../support/database-away.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { newWebPerson } from "../support/web-person.ts";

const started: Cove[] = [];

afterEach(async () => {
  for (const cove of started.splice(0)) await cove.stop();
});

async function start(
  overrides: Record<string, string | undefined> = {},
  copy?: string,
  command?: "start" | "dev",
): Promise<Cove> {
  const cove = await startCove(overrides, copy, command);
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
  // Somebody's own settings steer nothing here: every test says itself what it is about.
  const steered = VARIABLES.filter((name) => !["COVE_DATA_DIR", "COVE_BUILD_DIR"].includes(name));
  await writeFile(path.join(clone, ".env"), steered.map((name) => `${name}=nonsense\n`).join(""));

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

  // Where nothing else is said, the file counts.
  await writeFile(path.join(clone, ".env"), "COVE_SIGNUP=closed\n");
  const again = await start({ PORT: cove.env.PORT, COVE_SIGNUP: undefined }, clone);
  expect(again.output()).toMatch(/Sign-up +closed/);
  expect(again.output()).not.toMatch(/Packages installed|Application built/);
  // Under 10 s on a machine that does nothing else; what would be missed here is a build or an install.
  expect(Number(/Cove is ready at .* \(([\d.]+) s\)/.exec(again.output())?.[1])).toBeLessThan(60);
  expect(await health(again)).toMatchObject({ status: "ok" });
  expect(await again.stop()).toBe(0);

  await removeInstallation(path.join(clone, ".data"));
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
  await removeInstallation(dataDir);
});

test("Ctrl-C takes containers and loop devices away and leaves the workspaces", async () => {
  const dataDir = await temporaryDirectory();
  const cove = await start({ COVE_DATA_DIR: dataDir });
  const { email, token, execute } = await newCaller(cove);
  const { body } = await execute("execute_bash", { command: "echo kept > note" });
  expect(body).toMatchObject({ status: "completed" });
  expect(await containersOf(dataDir)).toHaveLength(1);
  expect(await loopDevicesOf(dataDir)).toHaveLength(1);

  expect(await cove.stop()).toBe(0);
  expect(await containersOf(dataDir)).toEqual([]);
  expect(await loopDevicesOf(dataDir)).toEqual([]);

  const next = await start({ COVE_DATA_DIR: dataDir });
  const again = await callerWith(next.url, email, token).execute("execute_bash", { command: "cat note" });
  expect(again.body).toMatchObject({ stdout: "kept\n" });
  await next.stop();
  await removeInstallation(dataDir);
});

test("`npm run dev` serves pages and doors from the sources, and ends as orderly", {
  timeout: 300_000,
}, async () => {
  const cove = await start({}, undefined, "dev");
  expect(await health(cove)).toMatchObject({ status: "ok" });
  expect(await (await fetch(cove.url)).text()).toContain("A code interpreter of your own");
  expect(await cove.stop()).toBe(0);
});

test("it runs on a database of one's own", async () => {
  const cove = await start({ DATABASE_URL: process.env.COVE_TEST_DATABASE_URL });
  expect(cove.output()).toContain("Database from DATABASE_URL");
  expect(await health(cove)).toMatchObject({ status: "ok", database: "ok" });
});

test("while the database is away /health says so, and it is well again once the database is back", async () => {
  const cove = await start();
  const { cookie } = await newWebPerson(cove);
  const back = await takeDatabaseAway(cove);
  await expect
    .poll(() => health(cove), { timeout: 20_000 })
    .toMatchObject({ status: "degraded", database: "down" });
  // What a page can't be made for is in the log, with the place and without what was asked of the database.
  expect((await fetch(`${cove.url}/chat?q=mine`, { headers: { cookie } })).status).toBe(500);
  await expect.poll(() => cove.output()).toContain('"path":"/chat"');
  expect(cove.output()).toContain('"msg":"a page failed"');
  expect(cove.output()).not.toMatch(/params: |q=mine/);
  await back();
  await expect.poll(() => health(cove), { timeout: 20_000 }).toMatchObject({ status: "ok" });
});

async function health(cove: Cove): Promise<unknown> {
  return (await fetch(`${cove.url}/health`)).json();
}

async function containersOf(dataDir: string): Promise<unknown[]> {
  const filters = JSON.stringify({ label: [`cove=${await installationName(dataDir)}`] });
  return connectEngine(process.env.DOCKER_HOST).listContainers({ all: true, filters });
}

async function loopDevicesOf(dataDir: string): Promise<string[]> {
  const devices = (await readdir("/sys/block")).filter((name) => name.startsWith("loop"));
  const files = devices.map((name) =>
    readFile(`/sys/block/${name}/loop/backing_file`, "utf8").catch(() => ""),
  );
  return (await Promise.all(files)).filter((file) => file.startsWith(dataDir));
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
