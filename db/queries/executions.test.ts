import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeAll, expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import {
  findExecution,
  findExecutionByKey,
  finishExecution,
  insertExecution,
  listUnfinishedExecutions,
  startExecution,
} from "./executions.ts";
import { insertUser } from "./users.ts";

const own = ownDatabase();
let userId: string;

beforeAll(async () => {
  userId = (await insertUser(own.client.db, { email: "ada@example.com", name: "Ada" }))?.id ?? "";
});

async function begin(given: { idempotencyKey?: string } = {}): Promise<string> {
  const id = v7();
  const row = { id, userId, door: "rest", tool: "execute_bash", arguments: "{}", status: "queued", ...given };
  expect(await insertExecution(own.client.db, row)).toBe(true);
  return id;
}

test("a run is begun, marked as started and finished, once", async () => {
  const { db } = own.client;
  const id = await begin();
  await startExecution(db, id, "sandbox");
  expect(await listUnfinishedExecutions(db)).toEqual([{ id, userId, status: "running" }]);
  const stdout = Buffer.from([0, 0xff]);
  const end = {
    status: "failed",
    exitCode: 3,
    stdout,
    durationMs: 12,
    session: "s",
    restarted: true,
    artifactsSkipped: "Not kept: huge.bin.",
  };
  await finishExecution(db, id, { ...end, results: "[]", deniedHosts: "[]", words: ["word"] });
  await finishExecution(db, id, { status: "completed" });
  await startExecution(db, id, "another");
  expect(await findExecution(db, userId, id)).toEqual({
    id,
    ...end,
    stderr: null,
    truncated: false,
    results: "[]",
    result: null,
    deniedHosts: "[]",
    outputBlob: null,
    removedBytes: null,
    finishedAt: expect.any(Date),
  });
  expect(await findExecution(db, v7(), id)).toBeUndefined();
  expect(await listUnfinishedExecutions(db)).toEqual([]);
  const { rows } = await db.execute(sql`select tool, status, runs from execution_days`);
  expect(rows).toEqual([{ tool: "execute_bash", status: "failed", runs: 1 }]);
});

test("a key is taken until its call turns out to have been refused", async () => {
  const { db } = own.client;
  const id = await begin({ idempotencyKey: "k" });
  const again = { id: v7(), userId, door: "rest", tool: "execute_bash", arguments: "{}", status: "queued" };
  expect(await insertExecution(db, { ...again, idempotencyKey: "k" })).toBe(false);
  expect(await findExecutionByKey(db, userId, "k")).toMatchObject({ id });
  await finishExecution(db, id, { status: "failed", idempotencyKey: null });
  expect(await insertExecution(db, { ...again, idempotencyKey: "k" })).toBe(true);
  await finishExecution(db, again.id, { status: "completed", result: "{}" });
  expect(await findExecutionByKey(db, userId, "k")).toMatchObject({ id: again.id, result: "{}" });
});
