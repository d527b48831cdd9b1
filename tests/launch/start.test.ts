// `npm start` where everything is installed and built: a second time, killed, beside another one.
import { readdir, readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { installationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { callerWith, newCaller } from "../support/caller.ts";
import { type Cove, removeInstallation, startCove } from "../support/cove.ts";
import { takeDatabaseAway } from "../support/database-away.ts";
import { health } from "../support/health.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { newWebPerson } from "../support/web-person.ts";

const started: Cove[] = [];

afterEach(async () => {
  for (const cove of started.splice(0)) await cove.stop();
});

async function start(
  overrides: Record<string, string | undefined> = {},
  command?: "start" | "dev",
): Promise<Cove> {
  const cove = await startCove(overrides, undefined, command);
  started.push(cove);
  return cove;
}

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
  const cove = await start({}, "dev");
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
