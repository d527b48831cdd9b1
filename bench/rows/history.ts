// A history of a million runs of one user, in a Postgres of its own: what all of
// the page's queries take together, whatever it is filtered by.

import { rm } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { connect, type Database } from "#db/client.ts";
import { startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { insertUser } from "#db/queries/users.ts";
import { provideDatabase } from "#lib/database.ts";
import { type HistoryQuery, historyOverview } from "#lib/history/history.ts";
import { temporaryDirectory } from "../../tests/support/temporary-directory.ts";
import { type Spread, spread, time } from "../measure.ts";
import type { Row } from "../row.ts";

const RUNS = 1_000_000;
const CONVERSATIONS = 200;

/** The kind ones and the cruel ones: what is common, rare, nowhere, and what is common but never together. */
const FILTERS: Record<string, HistoryQuery> = {
  "no filter": {},
  "a door": { door: "chat" },
  "a tool": { tool: "write_file" },
  "a rare status": { status: "oom" },
  "a door and a tool that never meet": { door: "console", tool: "write_file" },
  "a door and a tool of long ago": { door: "rest", tool: "edit_file" },
  "a rare status at a rare door": { door: "openai", status: "oom" },
  "a day of last winter": {
    from: new Date(Date.UTC(2026, 0, 10)),
    to: new Date(Date.UTC(2026, 0, 11)),
    status: "failed",
  },
  "a word of every run": { text: "print" },
  "a word of three runs": { text: "needle" },
  "a word of nothing": { text: "nowhere" },
  "the beginning of many words": { text: "w1" },
  "two common words that never meet": { text: "even odd" },
  "a common word of long ago": { text: "early" },
  "a word, a tool and a status": { text: "pandas", tool: "execute_python", status: "failed" },
};

export const history: Row = {
  name: "history",
  what: `a page of a history of ${RUNS.toLocaleString("en")} runs, the slowest filter`,
  bar: { atMost: 50 },
  unit: "ms",
  async measure({ samples }) {
    const dataDir = await temporaryDirectory();
    const postgres = await startEmbeddedPostgres(dataDir);
    const client = connect(postgres.url);
    try {
      await migrate(client.db);
      provideDatabase(client);
      const { userId, conversationId } = await fill(client.db);
      const filters = {
        ...FILTERS,
        "a conversation": { conversationId },
        "a conversation and a rare status": { conversationId, status: "oom" },
        "a conversation and a word of every run": { conversationId, text: "print" },
      };
      const details = await measureAll(filters, userId, Math.max(5, Math.ceil(samples / 5)));
      return { value: Math.max(...Object.values(details).map(({ median }) => median)), details };
    } finally {
      await client.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Everything the page asks for, together, as it does. */
async function measureAll(filters: Record<string, HistoryQuery>, userId: string, samples: number) {
  const details: Record<string, Spread> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const times: number[] = [];
    for (let n = 0; n <= samples; n++)
      times.push(await time(() => historyOverview(userId, filter, { days: 30 })));
    // The first one reads from disk what the others find in memory.
    details[name] = spread(times.slice(1));
  }
  return details;
}

/** One conversation of the many is in every fiftieth run. */
async function fill(db: Database): Promise<{ userId: string; conversationId: string }> {
  const user = await insertUser(db, { email: "bench@example.com", name: "Bench" });
  if (!user) throw new Error("The database is not empty.");
  await db.execute(sql`
    insert into conversations (id, user_id, title)
    select gen_random_uuid(), ${user.id}, 'Conversation ' || n from generate_series(1, ${CONVERSATIONS}::int) as n`);
  const { rows } = await db.execute<{ id: string }>(sql`select id from conversations limit 1`);
  const conversationId = rows[0]?.id ?? "";
  await db.execute(sql`
    insert into executions (id, user_id, door, tool, arguments, summary, words, status, conversation_id, duration_ms, created_at, finished_at)
    select id::uuid, ${user.id}, door, tool, arguments, left(arguments, 120), words, status, case when n % 50 = 0 then ${conversationId}::uuid end, 12, at, at
    from (
      select n, at, door, status,
        case when door = 'console' and n % 3 = 0 then 'execute_python' when n % 11 = 0 and door <> 'console'
          then 'write_file' when door = 'rest' and n < 300000 then 'edit_file' when n % 2 = 0 then 'execute_python' else 'execute_bash' end as tool,
        '{"code":"' || repeat(md5(n::text), 10) || '"}' as arguments,
        lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' || lpad(to_hex(n), 15, '0') as id,
        array_to_tsvector(array['import', 'print', case n % 2 when 0 then 'even' else 'odd' end,
          case when n % 3 = 0 then 'pandas' else 'numpy' end, case when n < 500000 then 'early' else 'late' end,
          case when n in (10, 5000, 400000) then 'needle' else 'hay' end,
          'w' || (hashint4(n) & 4095), 'x' || (hashint4(n + 7) & 65535), 'y' || (hashint4(n + 9) & 1023)]) as words
      from (
        select n, timestamptz '2026-01-01' + n * interval '26 seconds' as at,
          (array['chat', 'chat', 'chat', 'mcp', 'mcp', 'rest', 'console'])[1 + (hashint4(n + 1) & 1048575) % 7]
            || '' as some_door,
          case when n % 5000 = 7 then 'openai' end as rare_door,
          case when n % 20011 = 5 then 'oom' when n % 9 = 0 then 'failed' else 'completed' end as status
        from generate_series(1, ${RUNS}::int) as n
      ) as drawn, lateral (select coalesce(rare_door, some_door) as door) as doors
    ) as made`);
  await db.execute(sql`
    insert into execution_days (user_id, day, door, tool, status, runs)
    select user_id, (created_at at time zone 'UTC')::date, door, tool, status, count(*) from executions
    group by 1, 2, 3, 4, 5`);
  await db.execute(sql`vacuum analyze executions`);
  return { userId: user.id, conversationId };
}
