import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { pointCellAtRun, runsOfConsole } from "#db/queries/consoles.ts";
import { countDenials, listDeniedHosts } from "#db/queries/egress.ts";
import { insertExecution } from "#db/queries/executions.ts";
import { replaceMessages } from "#db/queries/messages.ts";
import { endOldestSessions, insertSession, listSessions } from "#db/queries/sessions.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { limitAttempts } from "./accounts/attempt-limits.ts";
import { addUser } from "./accounts/sign-up.ts";
import { createToken, tokensOf } from "./accounts/tokens.ts";
import {
  createConversation,
  deleteConversation,
  listConversations,
  requireRoomToSay,
} from "./chats/conversations.ts";
import { createConsole, saveConsole } from "./console/consoles.ts";
import type { Content } from "./console/content.ts";
import { db } from "./database.ts";
import { dayAt } from "./days.ts";
import { KEPT_DAYS, MOST } from "./growth-bounds.ts";
import { saveModelKey } from "./models/model-keys.ts";
import { pruneLogs } from "./retention/prune-logs.ts";

ownDatabase();

const KB = 1024;
let people = 0;
let ada: string;

beforeEach(async () => {
  const email = `ada-${people++}@example.com`;
  ada = (await addUser({ email, name: "Ada", password: "ada's password" })).id;
});

async function say(conversationId: string, text: string): Promise<void> {
  const message = { role: "user", status: "done", parts: text, body: text, createdAt: new Date() };
  await replaceMessages(db(), ada, conversationId, { add: [{ id: v7(), ...message }] });
}

const count = async (table: string) => {
  const { rows } = await db().execute<{ n: number }>(
    sql`select count(*)::int as n from ${sql.identifier(table)} where user_id = ${ada}`,
  );
  return rows[0]?.n;
};

describe("conversations", () => {
  test("are so many; what was deleted or never used makes room first", async () => {
    await db().execute(sql`
      insert into conversations (id, user_id, created_at, deleted_at)
      select gen_random_uuid(), ${ada}, now() - interval '2 hours', case when n > 4000 then now() end
      from generate_series(1, ${MOST.conversations}::int) as n`);
    const id = await createConversation(ada);
    expect(await count("conversations")).toBe(1);
    await say(id, "hello");
    await db().execute(sql`
      with made as (
        insert into conversations (id, user_id) select gen_random_uuid(), ${ada}
        from generate_series(2, ${MOST.conversations}::int) returning id
      ) insert into messages (id, conversation_id, user_id, role, status, parts, body)
      select gen_random_uuid(), id, ${ada}, 'user', 'done', '[]', '' from made`);
    await expect(createConversation(ada)).rejects.toThrow("You have 5,000 conversations already");
    await deleteConversation(ada, id);
    await createConversation(ada);
  });

  test("have room for so much; what was deleted makes room at once", async () => {
    const [one, other] = [await createConversation(ada), await createConversation(ada)];
    await say(one, "x".repeat(40 * KB));
    await say(other, "x".repeat(10 * KB));
    await requireRoomToSay(ada, 110 * KB);
    await expect(requireRoomToSay(ada, 90 * KB)).rejects.toThrow("Delete some of them first");
    await deleteConversation(ada, one);
    await requireRoomToSay(ada, 110 * KB);
    expect(await count("conversations")).toBe(2);
    await requireRoomToSay(ada, 90 * KB);
    expect(await count("conversations")).toBe(1);
    expect((await listConversations(ada)).conversations).toMatchObject([{ id: other }]);
  });
});

describe("consoles", () => {
  const empty: Content = { name: "Console", session: "default", cells: [] };

  test("have room for so much, saved or new", async () => {
    const { id, version } = await createConsole(ada, empty);
    await db().execute(sql`
      insert into consoles (id, user_id, name, session, cells)
      select gen_random_uuid(), ${ada}, 'Large', 'default', repeat('x', ${MOST.consoleBytes / 10 - 100}) from generate_series(1, 10)`);
    const large: Content = { ...empty, cells: [{ id: "a", kind: "python", code: "x".repeat(2_000) }] };
    await expect(createConsole(ada, large)).rejects.toThrow("Your consoles take 100 MB");
    await expect(saveConsole(ada, id, version, large)).rejects.toThrow("Your consoles take 100 MB");
    await saveConsole(ada, id, version, empty);
  });

  test("remember so many runs of cells, the newest", async () => {
    const { id: consoleId } = await createConsole(ada, empty);
    await db().execute(sql`
      insert into console_runs (console_id, cell_id, execution_id)
      select ${consoleId}, 'old-' || n, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid
      from generate_series(1, 1500) as n`);
    const executionId = v7();
    const call = { door: "console", tool: "execute_python", arguments: "{}", status: "running" };
    await insertExecution(db(), { id: executionId, userId: ada, ...call });
    expect(await pointCellAtRun(db(), ada, { consoleId, cellId: "old-1", executionId })).toBe(true);
    expect(await pointCellAtRun(db(), ada, { consoleId, cellId: "new", executionId })).toBe(true);
    expect(await runsOfConsole(db(), ada, consoleId)).toEqual({ "old-1": executionId, new: executionId });
    const { rows } = await db().execute<{ n: number }>(
      sql`select count(*)::int as n from console_runs where console_id = ${consoleId}`,
    );
    expect(rows[0]?.n).toBeLessThanOrEqual(1_001);
  });
});

test("tokens, and changes of an account in an hour, are so many", async () => {
  for (let n = 0; n < MOST.tokens; n++) await createToken(ada, { name: `token ${n}` });
  await expect(createToken(ada, { name: "one more" })).rejects.toThrow("You have 100 tokens already");
  expect(await tokensOf(ada)).toHaveLength(MOST.tokens);
  while (
    await limitAttempts("account:change", ada).then(
      () => true,
      () => false,
    )
  );
  await expect(createToken(ada, { name: "one more" })).rejects.toThrow("Too many attempts");
  await expect(saveModelKey(ada, "openai", { key: "sk-something" })).rejects.toThrow("Too many attempts");
});

test("of web sessions the oldest ends when there is one too many", async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await insertSession(db(), { userId: ada, userAgent: "", expiresAt }));
  await endOldestSessions(db(), ada, 3);
  expect((await listSessions(db(), ada)).map(({ id }) => id).sort()).toEqual(ids.slice(1));
});

test("denials, turns and the audit are pruned by age, and nobody can shorten the audit of this year", async () => {
  const old = sql`now() - interval '500 days'`;
  await db().execute(
    sql`insert into audit (id, actor, action, created_at) values (${v7()}, 'old', 'x', ${old}), (${v7()}, 'new', 'x', now())`,
  );
  const now = Date.now();
  const denied = (days: number) => {
    const day = dayAt(now - days * 24 * 3_600_000);
    return {
      userId: ada,
      day,
      host: `${days}.example`,
      port: 443,
      reason: "r",
      count: 1,
      lastAt: new Date(),
    };
  };
  const keptDay = KEPT_DAYS.deniedHosts;
  await countDenials(db(), [keptDay + 10, keptDay + 1, keptDay, 0].map(denied), MOST.deniedHosts);
  const turn = (id: string) =>
    db().execute(sql`insert into agent_turns (id, user_id, door, model, steps, input_tokens, output_tokens, duration_ms, outcome)
      values (${id}, ${ada}, 'chat', 'm', 1, 1, 1, 1, 'done')`);
  await turn(v7({ msecs: Date.now() - 500 * 24 * 3_600_000 }));
  await turn(v7());
  await pruneLogs(now);
  const { rows } = await db().execute(sql`select actor from audit where action = 'x'`);
  expect(rows).toEqual([{ actor: "new" }]);
  const hosts = (await listDeniedHosts(db(), denied(1_000).day, 10)).map(({ host }) => host);
  expect(hosts.sort()).toEqual(["0.example", `${keptDay}.example`]);
  expect(await count("agent_turns")).toBe(1);
  await expect(db().execute(sql`delete from audit where actor = 'new'`)).rejects.toThrow();
});
