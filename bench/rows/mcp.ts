// The MCP door of the production server over HTTP, with a token, everything on record.
import { sql } from "drizzle-orm";
import { databaseOf } from "../../tests/support/people.ts";
import { dockerCli } from "../context.ts";
import { bashTrue, type Door, withCove } from "../cove.ts";
import { contest, spread, throughput, time } from "../measure.ts";
import { type Row, ratioOf } from "../row.ts";
import { startMinimal } from "../start-minimal.ts";

export const mcpCall: Row = {
  name: "mcp-true",
  what: "`tools/call execute_bash true`, warm, against the `docker exec` program",
  bar: { atMost: 0.15 },
  unit: "×",
  measure: ({ samples, withSandboxes }) =>
    withSandboxes({}, async ({ containerOf, sandboxes }) => {
      await (await sandboxes.open("ann")).run("true");
      const container = await containerOf("ann");
      return withCove(async (door) => {
        await warmUp(door);
        const result = await contest(
          samples,
          () => time(() => bashTrue(door)),
          () => time(() => dockerCli("exec", container, "true")),
          10,
        );
        return ratioOf(result);
      });
    }),
};

export const mcpCrowd: Row = {
  name: "mcp-16",
  what: "the same from 16 clients at once, calls/s, against the minimal MCP server",
  bar: { atLeast: 8 },
  unit: "×",
  measure: ({ samples, withSandboxes }) =>
    withSandboxes({}, async ({ containerOf, sandboxes }) => {
      await (await sandboxes.open("ann")).run("true");
      const minimal = await startMinimal(await containerOf("ann"));
      return withCove(async (door) => {
        const rounds = [];
        for (let round = 0; round < 3; round++) {
          const ours = await throughput(16, samples * 5, () => bashTrue(door));
          const theirs = await throughput(16, samples, () => bashTrue(minimal));
          rounds.push({ ours, theirs, ratio: ours / theirs });
        }
        const [, middle] = rounds.toSorted((a, b) => a.ratio - b.ratio);
        return { value: middle?.ratio ?? 0, details: { rounds } };
      }).finally(minimal.close);
    }),
};

export const mcpList: Row = {
  name: "mcp-list",
  what: "`tools/list`",
  bar: { atMost: 5 },
  unit: "ms",
  measure: ({ samples }) =>
    withCove(async ({ rpc }) => {
      const times = await series(samples * 3, () => rpc("tools/list"));
      return { value: times.median, ms: times, details: times };
    }),
};

const BLOCK = 20;

export const mcpOverhead: Row = {
  name: "mcp-overhead",
  what: "what the door adds to a sandbox call: HTTP, token, protocol, record",
  bar: { atMost: 4 },
  unit: "ms",
  measure: ({ samples, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes }) => {
      const sandbox = await sandboxes.open("ann");
      return withCove(async (door) => {
        await warmUp(door);
        const works = [() => sandbox.run("true"), door.knock, () => door.rpc("ping"), () => bashTrue(door)];
        const times: number[][] = works.map(() => []);
        // In turns, so that a busy machine slows all of them alike, and some at a time, so that each finds the processor's
        // caches as it left them.
        for (let round = 0; round < (samples * 3) / BLOCK; round++) {
          for (const [at, work] of works.entries())
            for (let call = 0; call < BLOCK; call++) times[at]?.push(await time(work));
        }
        const [inside, http, ping, call] = times.map((values) => spread(values.slice(samples)).median) as [
          number,
          number,
          number,
          number,
        ];
        const parts = { http, tokenAndProtocol: ping - http, record: call - ping - inside, sandbox: inside };
        return { value: call - inside, details: { call, ...parts } };
      });
    }),
};

export const mcpMillion: Row = {
  name: "mcp-million",
  what: "`tools/call` with 1,000,000 executions on record, against an empty table",
  bar: { atMost: 1.2 },
  unit: "×",
  measure: ({ samples }) =>
    withCove(async (door) => {
      await warmUp(door);
      const measured = () => series(samples * 3, () => bashTrue(door));
      const empty = await measured();
      const { db } = await databaseOf(door.cove.dataDir);
      await db.execute(sql`
        insert into executions (id, user_id, door, tool, arguments, status, exit_code, stdout, duration_ms, finished_at)
        select gen_random_uuid(), (select id from users limit 1), 'mcp', 'execute_bash', '{"command":"true"}',
               'completed', 0, 'output', 2, now()
        from generate_series(1, 1000000)`);
      // What loading them leaves to be done later has been done wherever they came one by one.
      await db.execute(sql`vacuum analyze executions`);
      await db.execute(sql`checkpoint`);
      const full = await measured();
      return { value: full.median / empty.median, ms: full, details: { empty, full } };
    }),
};

/** As a server is that has been up for a while: its code is compiled by how often it runs. */
async function warmUp(door: Door): Promise<void> {
  for (let call = 0; call < 1500; call++) await bashTrue(door);
}

async function series(samples: number, call: () => Promise<unknown>) {
  const times: number[] = [];
  for (let round = 0; round < samples; round++) times.push(await time(call));
  // The first third warms both sides up.
  return spread(times.slice(Math.floor(samples / 3)));
}
