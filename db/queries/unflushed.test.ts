import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeAll, expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { connect, type Database } from "../client.ts";
import { insertConsole, pointCellAtRun, runsOfConsole } from "./consoles.ts";
import { finishExecution, insertExecution } from "./executions.ts";
import { insertUser } from "./users.ts";

const own = ownDatabase();
let userId: string;
let executionId: string;
let consoleId: string;

beforeAll(async () => {
  const { db } = own.client;
  userId = (await insertUser(db, { email: "ada@example.com", name: "Ada" }))?.id ?? "";
  executionId = v7();
  const call = { door: "console", tool: "execute_python", arguments: "{}", status: "running" };
  await insertExecution(db, { id: executionId, userId, ...call });
  consoleId = (await insertConsole(db, userId, { name: "x", session: "default", cells: "[]" })).id;
});

test("neither which run a cell shows nor the end of a run waits for the disk, and whatever comes next does", async () => {
  const point = (db: Database) => pointCellAtRun(db, userId, { consoleId, cellId: "a", executionId });
  const finish = (db: Database) => finishExecution(db, executionId, { status: "completed" });
  expect(await settingsAround(point)).toEqual({ within: "off", after: "on" });
  expect(await runsOfConsole(own.client.db, userId, consoleId)).toEqual({ a: executionId });
  expect(await settingsAround(finish)).toEqual({ within: "off", after: "on" });
  expect(await finish(own.client.db)).toBeUndefined();
});

/** What holds when the statement's transaction commits, and for the connection's next one. */
async function settingsAround(write: (db: Database) => Promise<unknown>) {
  const client = connect(own.url, { max: 1 });
  const setting = async (db: Database) => {
    const { rows } = await db.execute<{ synchronous_commit: string }>(sql`show synchronous_commit`);
    return rows[0]?.synchronous_commit;
  };
  try {
    await client.db.execute(sql`set synchronous_commit = on`);
    const within = await client.db.transaction(async (tx) => {
      await write(tx as Database);
      return setting(tx as Database);
    });
    return { within, after: await setting(client.db) };
  } finally {
    await client.close();
  }
}
