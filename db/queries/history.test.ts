import { eq, sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { conversations, executionDays, executions } from "../schema.ts";
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
  conversationId?: string;
  at?: number;
}

async function addRun(userId: string, run: Run = {}): Promise<string> {
  const { db } = own.client;
  const { door = "rest", tool = "execute_bash", status = "completed", words = [], output = [] } = run;
  const { conversationId, at } = run;
  const id = v7(at === undefined ? undefined : { msecs: at });
  await insertExecution(db, {
    id,
    userId,
    door,
    tool,
    arguments: "{}",
    status: "queued",
    summary: "",
    conversationId,
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

  test("is narrowed by door, tool, status, conversation, time and words, alone and together", async () => {
    const user = await someone("filters@example.com");
    const day = Date.UTC(2026, 2, 1);
    const conversationId = v7();
    await own.client.db.insert(conversations).values({ id: conversationId, userId: user, title: "Pandas" });
    const chat = await addRun(user, { door: "chat", conversationId, words: ["import", "pandas"], at: day });
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
    expect(await idsOf(user, { conversationId })).toEqual([chat]);
    expect(await idsOf(user, { conversationId, status: "failed" })).toEqual([]);
    expect(await idsOf(user, { conversationId, words: ["pandas"], door: "chat" })).toEqual([chat]);
    expect(await idsOf(bob, { words: ["pandas"] })).toEqual([]);
    expect(await idsOf(bob, { conversationId })).toEqual([]);
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

describe("filters that seldom meet", () => {
  test("are found on the days they met, page by page, and said to be nowhere if they never did", async () => {
    const user = await someone("days-apart@example.com");
    const { db } = own.client;
    const day = (n: number) => Date.UTC(2026, 0, n);
    const met: string[] = [];
    // On three days, and a millisecond before midnight.
    for (const at of [day(2) + 5, day(5) - 1, day(5), day(9), day(9) + 1]) {
      met.push(await addRun(user, { door: "mcp", tool: "write_file", at }));
    }
    await recount(user);
    await fill(user, day(20), 2100, "filler");
    await fill(user, day(21), 2100, "filler", "mcp");
    const find = (before?: string) =>
      findHistoryPage(db, user, { door: "mcp", tool: "write_file" }, { size: 2, before, momentMs: 20_000 });
    const pages: string[][] = [];
    let before: string | undefined;
    do {
      const { ids, next, lookedBackTo } = await find(before);
      expect(lookedBackTo).toBeUndefined();
      pages.push(ids);
      before = next;
    } while (before);
    expect(pages.flat()).toEqual(met.toReversed());
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    const never = await findHistoryPage(db, user, { door: "mcp", status: "oom" }, { size: 2 });
    expect(never).toEqual({ ids: [] });
  });
});

/** As if each run had begun when its id says, and been counted that day. */
async function recount(userId: string): Promise<void> {
  const { db } = own.client;
  await db.delete(executionDays).where(eq(executionDays.userId, userId));
  await db.execute(sql`
    insert into execution_days (user_id, day, door, tool, status, runs)
    select user_id, (to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) at time zone 'UTC')::date,
      door, tool, status, count(*) from executions where user_id = ${userId} group by 1, 2, 3, 4, 5`);
}

/** Many rows at once, a millisecond apart. */
async function fill(
  userId: string,
  start: number,
  count: number,
  word: string,
  door = "rest",
): Promise<void> {
  await own.client.db.insert(executions).values(
    Array.from({ length: count }, (_, n) => ({
      id: v7({ msecs: start + n }),
      userId,
      door,
      tool: "execute_bash",
      arguments: "{}",
      status: "completed",
      finishedAt: new Date(),
      words: sql`array_to_tsvector(array[${word}::text])`,
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
    expect(await deleteRuns(db, ada, [id])).toEqual([]);
    await finishExecution(db, id, { status: "completed", cpuMs: 12, memoryBytes: 5_000_000_000 });
    await finishExecution(db, id, { status: "interrupted" });
    expect(await listLiveRuns(db, ada, 10)).toEqual([]);
    expect(await findRun(db, ada, id)).toMatchObject({ status: "completed", cpuMs: 12, memoryBytes: 5e9 });
    expect(await findRun(db, bob, id)).toBeUndefined();
    expect(await listRuns(db, bob, [id])).toEqual([]);
    expect(await listCalls(db, bob, [id])).toEqual([]);
    expect(await deleteRuns(db, bob, [id])).toEqual([]);
    expect(await deleteRuns(db, ada, [id, id, v7()])).toMatchObject([{ id }]);
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
