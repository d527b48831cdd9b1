// What administrators look at and limits are made of, on a real Postgres.
import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { insertAgentTurn, pruneAgentTurns } from "./agent-turns.ts";
import { insertAudit, listAudit } from "./audit.ts";
import { countDenials, deleteDenialsBefore, listDeniedHosts, OTHER_HOSTS } from "./egress.ts";
import { finishExecution, insertExecution } from "./executions.ts";
import { deleteRuns } from "./history.ts";
import { listUsage, sumTokens } from "./usage.ts";
import { insertUser } from "./users.ts";

const own = ownDatabase();
let ada: string;
beforeAll(async () => {
  ada = (await insertUser(own.client.db, { email: "ada@example.com", name: "Ada" }))?.id ?? "";
});

const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("the audit log", () => {
  test("is read newest first, page by page, by action and by words", async () => {
    const { db } = own.client;
    for (const action of ["user.disabled", "token.created", "token.revoked"])
      await insertAudit(db, { actor: "ada@example.com", actorId: ada, action, subject: "100%_sure" });
    const [newest, ...rest] = await listAudit(db, {}, 2);
    expect([newest?.action, rest.length]).toEqual(["token.revoked", 1]);
    const next = await listAudit(db, { before: rest[0]?.id ?? "" }, 2);
    expect(next.map(({ action }) => action)).toEqual(["user.disabled"]);
    expect(await listAudit(db, { action: "token.created" }, 10)).toHaveLength(1);
    expect(await listAudit(db, { text: "100%_" }, 10)).toHaveLength(3);
    expect(await listAudit(db, { text: "100__" }, 10)).toHaveLength(0);
  });

  test.each(["update audit set actor = ''", "delete from audit", "truncate audit"])(
    "refuses to %s",
    async (statement) => {
      const refused = await own.client.db.execute(sql.raw(statement)).catch((error) => error);
      expect(refused.cause.message).toBe("The audit log can only be added to.");
    },
  );
});

describe("usage", () => {
  test("counts runs, time and tokens, and forgets nothing with the history", async () => {
    const { db } = own.client;
    const id = v7();
    const words: string[] = [];
    await insertExecution(db, {
      id,
      userId: ada,
      door: "rest",
      tool: "execute_bash",
      arguments: "{}",
      summary: "",
      words,
      status: "running",
    });
    await finishExecution(db, id, { status: "completed", durationMs: 1200, cpuMs: 300 });
    const turn = { userId: ada, door: "chat", model: "local/echo", steps: 1, durationMs: 1, outcome: "done" };
    await insertAgentTurn(db, { ...turn, inputTokens: 2_000_000_000, outputTokens: 2_000_000_000 });
    const used = {
      email: "ada@example.com",
      runs: 1,
      ms: 1200,
      cpuMs: 300,
      inputTokens: 2e9,
      outputTokens: 2e9,
    };
    expect(await listUsage(db, dayAfter(-1), dayAfter(2))).toMatchObject([used]);
    expect(await deleteRuns(db, ada, [id])).toHaveLength(1);
    expect(await listUsage(db, dayAfter(-1), dayAfter(2))).toMatchObject([used]);
    expect(await listUsage(db, dayAfter(2), dayAfter(3))).toEqual([]);
    const hour = 3_600_000;
    expect(await sumTokens(db, ada, new Date(Date.now() - hour), new Date(Date.now() + hour))).toBe(4e9);
    expect(await sumTokens(db, v7(), new Date(0), new Date())).toBe(0);
  });
});

describe("denials", () => {
  test("add up by host, and those of people who are gone are left out", async () => {
    const { db } = own.client;
    const denial = { day: dayAfter(0), port: 443, reason: "host_not_allowed", count: 2, lastAt: new Date() };
    await countDenials(db, [{ ...denial, userId: ada, host: "example.com" }], 10);
    const gone = { ...denial, userId: v7(), host: "elsewhere.example" };
    await countDenials(db, [{ ...denial, userId: ada, host: "example.com" }, gone], 10);
    expect(await listDeniedHosts(db, dayAfter(0), 10)).toMatchObject([
      { host: "example.com", port: 443, count: 4, people: 1, lastAt: expect.any(Date) },
    ]);
    expect(await deleteDenialsBefore(db, dayAfter(0))).toBe(0);
    expect(await deleteDenialsBefore(db, dayAfter(1))).toBe(1);
  });

  test("beyond so many hosts in a day are counted together, and those that are known still by name", async () => {
    const { db } = own.client;
    const denial = { userId: ada, port: 443, reason: "host_not_allowed", count: 1, lastAt: new Date() };
    const refuse = (day: string, hosts: string[]) =>
      countDenials(
        db,
        hosts.map((host) => ({ ...denial, day, host })),
        3,
      );
    const [today, tomorrow] = [dayAfter(0), dayAfter(1)];
    await refuse(today, ["a", "b"]);
    await refuse(today, ["c", "d", "e"]);
    await refuse(today, ["a", "f", "g"]);
    await refuse(tomorrow, ["h"]);
    const rows = await listDeniedHosts(db, today, 10);
    const counts = Object.fromEntries(rows.map(({ host, count }) => [host, count]));
    expect(counts[OTHER_HOSTS]).toBe(4);
    expect(counts).toMatchObject({ a: 2, b: 1, h: 1 });
    expect(rows).toHaveLength(5);
  });
});

test("of a user's turns the newest so many are kept, and those of the last days whatever their number", async () => {
  const { db } = own.client;
  const user = (await insertUser(db, { email: "turns@example.com", name: "Turns" }))?.id ?? "";
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * 3_600_000);
  for (const days of [30, 20, 10, 5, 1, 0])
    await db.execute(sql`insert into agent_turns (id, user_id, door, model, steps, input_tokens, output_tokens, duration_ms, outcome)
      values (${v7({ msecs: at(days).getTime() })}, ${user}, 'chat', 'm', 1, ${days}, 1, 1, 'done')`);
  const kept = async () => {
    const { rows } = await db.execute<{ days: number }>(
      sql`select input_tokens as days from agent_turns where user_id = ${user} order by id`,
    );
    return rows.map(({ days }) => days);
  };
  await pruneAgentTurns(db, { before: at(25), mostOlderThan: at(2), most: 4 });
  expect(await kept()).toEqual([10, 5, 1, 0]);
  await pruneAgentTurns(db, { before: at(25), mostOlderThan: at(2), most: 1 });
  expect(await kept()).toEqual([1, 0]);
});
