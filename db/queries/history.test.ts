import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { executions } from "../schema.ts";
import { countRunsByDay } from "./execution-days.ts";
import { finishExecution, insertExecution } from "./executions.ts";
import { deleteRuns, findRun, listCalls, listLiveRuns, listRuns } from "./history.ts";
import { findHistoryPage, type HistoryFilter } from "./history-page.ts";
import { insertUser } from "./users.ts";

const own = ownDatabase();
let ada: string;
let bob: string;
beforeAll(async () => {
  ada = await someone("ada@example.com");
  bob = await someone("bob@example.com");
});

async function someone(email: string): Promise<string> {
  const user = await insertUser(own.client.db, { email, name: email });
  return user?.id ?? "";
}

interface Run {
  door?: string;
  tool?: string;
  status?: string;
  words?: string[];
  output?: string[];
  at?: number;
}

async function addRun(userId: string, run: Run = {}): Promise<string> {
  const { db } = own.client;
  const { door = "rest", tool = "execute_bash", status = "completed", words = [], output = [], at } = run;
  const id = v7(at === undefined ? undefined : { msecs: at });
  await insertExecution(db, {
    id,
    userId,
    door,
    tool,
    arguments: "{}",
    status: "queued",
    summary: "",
    words,
  });
  await finishExecution(db, id, { status, words: output });
  return id;
}

async function idsOf(userId: string, filter: HistoryFilter, size = 50): Promise<string[]> {
  return (await findHistoryPage(own.client.db, userId, filter, { size, momentMs: 20_000 })).ids;
}

describe("a page of the history", () => {
  test("is in order, ends where the next begins, and holds nobody else's", async () => {
    const user = await someone("pages@example.com");
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push(await addRun(user));
    await addRun(bob);
    const { db } = own.client;
    const first = await findHistoryPage(db, user, {}, { size: 3 });
    expect(first).toEqual({ ids: ids.toReversed().slice(0, 3), next: ids[4] });
    const second = await findHistoryPage(db, user, {}, { size: 3, before: first.next });
    const last = await findHistoryPage(db, user, {}, { size: 3, before: second.next });
    expect([...first.ids, ...second.ids, ...last.ids]).toEqual(ids.toReversed());
    expect(last.next).toBeUndefined();
  });

  test("is narrowed by door, tool, status, time and words, alone and together", async () => {
    const user = await someone("filters@example.com");
    const day = Date.UTC(2026, 2, 1);
    const chat = await addRun(user, { door: "chat", words: ["import", "pandas"], at: day });
    const failed = await addRun(user, { status: "failed", output: ["valueerror", "pandas"], at: day + 1000 });
    const file = await addRun(user, { tool: "write_file", words: ["größe", "o'reilly"], at: day + 2000 });
    expect(await idsOf(user, { door: "chat" })).toEqual([chat]);
    expect(await idsOf(user, { tool: "write_file" })).toEqual([file]);
    expect(await idsOf(user, { status: "failed" })).toEqual([failed]);
    expect(await idsOf(user, { from: new Date(day + 1000), to: new Date(day + 2000) })).toEqual([failed]);
    expect(await idsOf(user, { words: ["pand"] })).toEqual([failed, chat]);
    expect(await idsOf(user, { words: ["pandas", "import"] })).toEqual([chat]);
    expect(await idsOf(user, { words: ["größe"] })).toEqual([file]);
    expect(await idsOf(user, { words: ["'; drop table executions; --", "\\"] })).toEqual([]);
    expect(await idsOf(user, { door: "rest", status: "failed", words: ["pandas"] })).toEqual([failed]);
    expect(await idsOf(user, { door: "chat", status: "failed" })).toEqual([]);
    expect(await idsOf(bob, { words: ["pandas"] })).toEqual([]);
  });

  test("finds what is rare however far back it is, and says so when what is common is far back", async () => {
    const user = await someone("far@example.com");
    const { db } = own.client;
    const start = Date.UTC(2026, 0, 1);
    await fill(user, start, 1500, "common");
    const rare = await addRun(user, { words: ["needle"], at: start + 1500 });
    await fill(user, start + 2000, 2500, "filler");
    expect(await idsOf(user, { words: ["needle"] })).toEqual([rare]);

    const common = await findHistoryPage(db, user, { words: ["common"] }, { size: 50, momentMs: 20_000 });
    expect(common).toMatchObject({ ids: [], lookedBackTo: new Date(start + 2500) });
    const further = await findHistoryPage(db, user, { words: ["common"] }, { size: 50, before: common.next });
    expect(further.ids).toHaveLength(50);
    const all = await findHistoryPage(db, user, { words: ["common"] }, { size: 50, thorough: true });
    expect(all.ids).toEqual(further.ids);
  });
});

/** Many rows at once, a millisecond apart. */
async function fill(userId: string, start: number, count: number, word: string): Promise<void> {
  await own.client.db.insert(executions).values(
    Array.from({ length: count }, (_, n) => ({
      ...{ id: v7({ msecs: start + n }), userId, door: "rest", tool: "execute_bash", arguments: "{}" },
      ...{ status: "completed", finishedAt: new Date(), words: sql`array_to_tsvector(array[${word}::text])` },
    })),
  );
}

describe("one run", () => {
  test("is its owner's alone, and live until it has ended", async () => {
    const { db } = own.client;
    const id = v7();
    const row = { id, userId: ada, door: "rest", tool: "execute_bash", arguments: "{}", status: "queued" };
    await insertExecution(db, { ...row, summary: "echo hi" });
    expect(await listLiveRuns(db, ada, 10)).toMatchObject([{ id, summary: "echo hi" }]);
    expect(await listLiveRuns(db, bob, 10)).toEqual([]);
    expect(await deleteRuns(db, ada, [id])).toBe(0);
    await finishExecution(db, id, { status: "completed", cpuMs: 12, memoryBytes: 5_000_000_000 });
    await finishExecution(db, id, { status: "interrupted" });
    expect(await listLiveRuns(db, ada, 10)).toEqual([]);
    expect(await findRun(db, ada, id)).toMatchObject({ status: "completed", cpuMs: 12, memoryBytes: 5e9 });
    expect(await findRun(db, bob, id)).toBeUndefined();
    expect(await listRuns(db, bob, [id])).toEqual([]);
    expect(await listCalls(db, bob, [id])).toEqual([]);
    expect(await deleteRuns(db, bob, [id])).toBe(0);
    expect(await deleteRuns(db, ada, [id, id, v7()])).toBe(1);
  });

  test("is counted once with its day, and no more when it is deleted", async () => {
    const user = await someone("days@example.com");
    const { db } = own.client;
    const ids = [
      await addRun(user),
      await addRun(user),
      await addRun(user, { status: "failed", door: "chat" }),
    ];
    const today = new Date().toISOString().slice(0, 10);
    const counts = async (filter = {}) =>
      Object.fromEntries((await countRunsByDay(db, user, filter)).map(({ status, runs }) => [status, runs]));
    expect(await counts()).toEqual({ completed: 2, failed: 1 });
    expect(await counts({ door: "rest" })).toEqual({ completed: 2 });
    expect(await counts({ to: today })).toEqual({});
    await deleteRuns(db, user, ids.slice(0, 1));
    expect(await counts()).toEqual({ completed: 1, failed: 1 });
  });
});
