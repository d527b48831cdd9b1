// Parts of a Cove are killed, and nobody lends a hand.
import { readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { findLockHolder } from "#db/installation-lock.ts";
import { installationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { newCaller } from "../support/caller.ts";
import { type Cove, removeInstallation, startCove } from "../support/cove.ts";
import { health } from "../support/health.ts";
import { clusterOf, postmasterOf, serverOf } from "../support/kill.ts";
import { databaseOf } from "../support/people.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// Longer than a start may take on a busy machine.
const PATIENCE = { timeout: 100_000, interval: 200 };
vi.setConfig({ testTimeout: 240_000 });
let dataDir: string | undefined;
let cove: Cove | undefined;

async function start(): Promise<Cove> {
  dataDir = await temporaryDirectory();
  cove = await startCove({ COVE_DATA_DIR: dataDir });
  return cove;
}

afterEach(async () => {
  await cove?.stop();
  if (dataDir) await removeInstallation(dataDir);
  cove = dataDir = undefined;
});

describe("the embedded Postgres or the server killed with -9", () => {
  test("the server is started again, finds its sandboxes, and Ctrl-C ends everything in order", async () => {
    const cove = await start();
    const ada = await newCaller(cove);
    await ada.execute("execute_python", { code: "kept = 42" });
    const before = await containersOf(cove);

    const killed = await serverOf(cove);
    process.kill(killed as number, "SIGKILL");
    await expect.poll(() => health(cove).catch(cove.output), PATIENCE).toMatchObject({ status: "ok" });
    expect(await serverOf(cove)).not.toBe(killed);
    expect((await ada.execute("execute_python", { code: "print(kept)" })).body.stdout).toBe("42\n");
    expect(await containersOf(cove)).toEqual(before);
    expect(cove.output()).toContain("! The server was ended by SIGKILL. It is started again.");
    expect(cove.output()).toContain("✓ The server runs again");

    expect(await cove.stop()).toBe(0);
    await expectNothingLeft(cove);
  });

  test("Ctrl-C while the server is being restarted leaves nothing behind either", async () => {
    const cove = await start();
    const ada = await newCaller(cove);
    await ada.execute("execute_bash", { command: "echo kept > note" });
    expect([(await containersOf(cove)).length, (await loopDevicesOf(cove)).length]).toEqual([1, 1]);

    process.kill((await serverOf(cove)) as number, "SIGKILL");
    await expect.poll(cove.output, PATIENCE).toContain("The server was ended by SIGKILL");
    expect(await cove.stop()).toBe(0);
    await expectNothingLeft(cove);
  });

  test("Postgres is started again at the same address, and the server goes on with it", async () => {
    const cove = await start();
    const ada = await newCaller(cove);
    const server = await serverOf(cove);
    const url = await embeddedPostgresUrl(cove.dataDir);
    const { db } = await databaseOf(cove.dataDir);
    const backendOf = async () => {
      const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      return rows[0]?.pid as number;
    };
    // A child of it takes all its siblings along; the server itself starts over with them.
    for (const victim of [() => postmasterOf(cove), backendOf]) {
      // The connection of this test broke like all others, and is replaced by the next that is asked for.
      process.kill(await vi.waitFor(victim, PATIENCE), "SIGKILL");
      await expect
        .poll(() => ada.execute("execute_bash", { command: "echo back" }), PATIENCE)
        .toMatchObject({ status: 200, body: { stdout: "back\n" } });
      await expect.poll(() => health(cove), PATIENCE).toMatchObject({ status: "ok", database: "ok" });
    }
    expect(await embeddedPostgresUrl(cove.dataDir)).toBe(url);
    expect(cove.output()).toMatch(/! The embedded Postgres is gone \(process \d+\)\. It is started again\./);
    await expect.poll(cove.output, PATIENCE).toContain("✓ The embedded Postgres runs again");
    // The same server, which owns the installation again.
    await expect.poll(() => findLockHolder(db), PATIENCE).toEqual(expect.any(Number));
    expect(await serverOf(cove)).toBe(server);
  });

  test("both at once: Postgres comes first, then the server", async () => {
    const cove = await start();
    const ada = await newCaller(cove);
    process.kill(await postmasterOf(cove), "SIGKILL");
    process.kill((await serverOf(cove)) as number, "SIGKILL");
    await expect.poll(() => health(cove).catch(cove.output), PATIENCE).toMatchObject({ status: "ok" });
    expect((await ada.execute("execute_bash", { command: "echo back" })).body.stdout).toBe("back\n");
  });

  test("a Postgres that can't come back is given up with the cause, and everything else is put away", async () => {
    const cove = await start();
    const ada = await newCaller(cove);
    await ada.execute("execute_bash", { command: "true" });
    const ended = new Promise((resolve) => cove.process.once("exit", resolve));
    const control = path.join(await clusterOf(cove), "global", "pg_control");
    const postmaster = await postmasterOf(cove);
    await rename(control, `${control}.away`);
    process.kill(postmaster, "SIGKILL");
    await expect
      .poll(() => health(cove).catch(() => undefined), PATIENCE)
      .toMatchObject({ status: "degraded", database: "down" });
    expect(await ended).toBe(1);
    expect(cove.output()).toMatch(
      /✗ The embedded Postgres was started again 4 times in vain\. [^\n]*pg_control[^\n]*\n$/,
    );
    await expectNothingLeft(cove);
  });
});

async function expectNothingLeft(cove: Cove): Promise<void> {
  expect(await containersOf(cove)).toEqual([]);
  expect(await loopDevicesOf(cove)).toEqual([]);
  expect(await embeddedPostgresUrl(cove.dataDir)).toBeUndefined();
  await expect(fetch(cove.url)).rejects.toThrow("fetch failed");
}

async function containersOf({ dataDir }: Cove): Promise<string[]> {
  const filters = JSON.stringify({ label: [`cove=${await installationName(dataDir)}`] });
  const all = await connectEngine(process.env.DOCKER_HOST).listContainers({ all: true, filters });
  return all.map(({ Id }) => Id).sort();
}

async function loopDevicesOf({ dataDir }: Cove): Promise<string[]> {
  const devices = (await readdir("/sys/block")).filter((name) => name.startsWith("loop"));
  const files = devices.map((name) =>
    readFile(`/sys/block/${name}/loop/backing_file`, "utf8").catch(() => ""),
  );
  return (await Promise.all(files)).filter((file) => file.startsWith(dataDir));
}
