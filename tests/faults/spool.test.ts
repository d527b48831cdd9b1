// Runs end while there is no database, and with it or without it the server is killed: what was answered is on record.
import { execFileSync } from "node:child_process";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { insertExecution } from "#db/queries/executions.ts";
import { Spool } from "#lib/executions/spool.ts";
import { type Caller, newCaller } from "../support/caller.ts";
import { type Cove, removeInstallation, startCove } from "../support/cove.ts";
import { health } from "../support/health.ts";
import { clusterOf, postmasterOf, serverOf } from "../support/kill.ts";
import { databaseOf } from "../support/people.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const PATIENCE = { timeout: 60_000, interval: 200 };
let cove: Cove;
let dataDir: string;
const spoolFolder = () => path.join(dataDir, "spool");

beforeEach(async () => {
  dataDir = await temporaryDirectory();
  cove = await startCove({ COVE_DATA_DIR: dataDir });
});

afterEach(async () => {
  await cove.stop();
  await removeInstallation(dataDir);
});

describe("the embedded Postgres or the server killed with -9", () => {
  test("what ends while Postgres is away or dies is on record, once, as it was answered", async () => {
    const [ada, bob] = [await newCaller(cove), await newCaller(cove)];
    await Promise.all([ada, bob].map((caller) => run(caller, 0)));
    // Some have ended, some end this very moment, most end while there is no Postgres.
    const runs = [ada, bob].flatMap((caller) => [0, 0.1, 1, 1.5, 2, 2.5, 3].map((s) => run(caller, s)));
    await runs[0];
    const file = await ada.execute("write_file", { file_path: "note", content: "kept" });
    const back = await killPostgres();
    const answers = await Promise.all(runs);
    expect(await health(cove)).toMatchObject({ status: "degraded", database: "down" });
    const spooled = await readdir(spoolFolder());
    expect(spooled.length).toBeGreaterThanOrEqual(8);
    await back();

    await expectOnRecord([...answers, file]);
    await expect.poll(() => readdir(spoolFolder()), PATIENCE).toEqual([]);
    // And nothing is twice: each is counted with one day.
    const { db } = await databaseOf(dataDir);
    const { rows } = await db.execute(
      sql`select sum(runs)::int as n, (select count(*)::int from executions) as m from execution_days`,
    );
    expect(rows).toEqual([{ n: 17, m: 17 }]);
  });

  test("the same when the server is killed before Postgres is back", async () => {
    const ada = await newCaller(cove);
    await run(ada, 0);
    const runs = [1, 1.5, 2, 2.5, 3].map((s) => run(ada, s));
    const python = ada.execute("execute_python", { code: "import time; time.sleep(2); 6 * 7" });
    await expect.poll(async () => (await ada.execute("sandbox_info")).body.running.length, PATIENCE).toBe(6);
    const back = await killPostgres();
    const answers = [...(await Promise.all(runs)), await python];
    process.kill((await serverOf(cove)) as number, "SIGKILL");
    await back();
    await expect.poll(() => health(cove).catch(() => "gone"), PATIENCE).toMatchObject({ status: "ok" });
    await expectOnRecord(answers);
    await expect.poll(() => readdir(spoolFolder()), PATIENCE).toEqual([]);
    const { body } = await ada.execute("check_execution", { execution_id: (await python).body.execution_id });
    expect(body.results).toMatchObject([{ text: "42" }]);
  });

  test("a spool without room keeps nobody from the answer, and what is in it is data", async () => {
    const ada = await newCaller(cove);
    await run(ada, 0);
    // A disk of its own that has room for one page.
    await mkdir(spoolFolder(), { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k,mode=0700", "tmpfs", spoolFolder()]);
    try {
      const large = ada.execute("execute_bash", { command: "sleep 2; head -c 20000 /dev/zero | tr '\\0' x" });
      await expect
        .poll(async () => (await ada.execute("sandbox_info")).body.running.length, PATIENCE)
        .toBe(1);
      const back = await killPostgres();
      const answer = await large;
      expect(answer.body).toMatchObject({ status: "completed" });
      expect(await readdir(spoolFolder())).toEqual([]);
      expect(cove.output()).toContain("A finished run could not be spooled");
      await back();
      await expectOnRecord([answer]);
    } finally {
      execFileSync("umount", [spoolFolder()]);
    }

    // Left by a server that was killed: an end in place of `interrupted`, one that comes too late, and no end at all.
    const [lost, ended, broken] = [await begin(ada), await begin(ada), v7()];
    const { db } = await databaseOf(dataDir);
    await db.execute(
      sql`update executions set status = 'interrupted', finished_at = now() where id = ${lost}`,
    );
    await db.execute(sql`update executions set status = 'failed', finished_at = now() where id = ${ended}`);
    await cove.stop();
    const left = new Spool(spoolFolder());
    for (const id of [lost, ended]) await left.put(id, { status: "completed", exitCode: 0 });
    await writeFile(path.join(spoolFolder(), `${broken}.json`), '{"status":"completed"}');
    cove = await startCove({ COVE_DATA_DIR: dataDir });
    await expect.poll(() => statusOf(lost), PATIENCE).toBe("completed");
    expect(await statusOf(ended)).toBe("failed");
    await expect.poll(() => readdir(spoolFolder()), PATIENCE).toEqual([`${broken}.json.unreadable`]);
    await expect.poll(cove.output, PATIENCE).toContain("a spooled run is not readable; it is set aside");
  });
});

type Answer = Awaited<ReturnType<Caller["execute"]>>;

function run(caller: Caller, seconds: number): Promise<Answer> {
  return caller.execute("execute_bash", { command: `sleep ${seconds}; echo over`, timeout: 60 });
}

/** The function it resolves to lets the launcher's next try succeed. */
async function killPostgres(): Promise<() => Promise<void>> {
  const control = path.join(await clusterOf(cove), "global", "pg_control");
  const postmaster = await postmasterOf(cove);
  await rename(control, `${control}.away`);
  process.kill(postmaster, "SIGKILL");
  return () => rename(`${control}.away`, control);
}

/** Every one that was answered, as it was answered. */
async function expectOnRecord(answers: Answer[]): Promise<void> {
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const completed = answers.map(({ body }) => body.execution_id ?? "").filter(Boolean);
  await expect.poll(() => health(cove).catch(() => "gone"), PATIENCE).toMatchObject({ status: "ok" });
  await expect
    .poll(() => Promise.all(completed.map(statusOf)), PATIENCE)
    .toEqual(completed.map(() => "completed"));
  const { db } = await databaseOf(dataDir);
  const unfinished = sql`select tool, status from executions where status <> 'completed'`;
  expect((await db.execute(unfinished)).rows).toEqual([]);
}

async function statusOf(id: string): Promise<unknown> {
  const { db } = await databaseOf(dataDir);
  // The database may be on its way back.
  const found = await db.execute(sql`select status from executions where id = ${id}`).catch(() => undefined);
  return found?.rows[0]?.status;
}

/** A run that is on record as begun, as somebody who was killed leaves it. */
async function begin({ email }: Caller): Promise<string> {
  const { db } = await databaseOf(dataDir);
  const { rows } = await db.execute<{ id: string }>(sql`select id from users where email = ${email}`);
  const id = v7();
  const userId = rows[0]?.id ?? "";
  await insertExecution(db, {
    ...{ id, userId, door: "rest", tool: "execute_bash", arguments: "{}", status: "running" },
  });
  return id;
}
