// Python that remembers, against a fresh interpreter by the engine's own exec.

import type { Sandbox } from "#sandbox/index.ts";
import { type BenchContext, dockerExec } from "../context.ts";
import { contest, type Spread, spread, time } from "../measure.ts";
import { type Row, ratioOf } from "../row.ts";

export const warmCell: Row = {
  name: "warm-cell",
  what: "one line of Python in a warm session, against dockerode exec of `python3 -c`",
  bar: { atMost: 0.05 },
  unit: "×",
  measure: ({ docker, samples, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes, containerOf }) => {
      const sandbox = await sandboxes.open("ann");
      await cell(sandbox, "n = 0");
      const container = await containerOf("ann");
      const result = await contest(
        samples,
        () => time(() => cell(sandbox, "n += 1")),
        () => time(() => dockerExec(docker, container, ["python3", "-c", "n = 1"])),
        10,
      );
      return ratioOf(result);
    }),
};

const plot = `import pandas
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.savefig("/tmp/line.png")
plt.close()`;

export const newSession: Row = {
  name: "new-session",
  what: "a new session that imports pandas and matplotlib and draws a line, against the same script by dockerode exec",
  bar: { atMost: 0.25 },
  unit: "×",
  measure: ({ docker, samples, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes, containerOf }) => {
      const sandbox = await sandboxes.open("ann");
      const container = await containerOf("ann");
      await sandbox.prewarm(600_000);
      await cell(sandbox, "1");
      const result = await contest(
        Math.ceil(samples / 4),
        async () => {
          const ms = await time(() => cell(sandbox, plot, "fresh"));
          await sandbox.resetSession("fresh");
          return ms;
        },
        () => time(() => dockerExec(docker, container, ["python3", "-c", plot])),
      );
      return ratioOf(result);
    }),
};

const USERS = 25;

/** A public peer claims 32.8 calls/s on a far larger machine. */
export const manyUsers: Row = {
  name: "25-users",
  what: "25 users at once, each running stateful cells, no wrong state",
  bar: { atLeast: 150 },
  unit: "calls/s",
  measure: async (context) => {
    const details = await usersAtOnce(context);
    return { value: details.callsPerSecond, ms: details.latencyMs, details };
  },
};

/** Of the same run; the peer claims 496 ms. */
export const manyUsersWait: Row = {
  name: "25-users-p95",
  what: "how long 95 of 100 of those cells took at most",
  bar: { atMost: 496 },
  unit: "ms",
  measure: async (context) => {
    const details = await usersAtOnce(context);
    return { value: details.latencyMs.p95, ms: details.latencyMs, details };
  },
};

type UsersAtOnce = {
  callsPerSecond: number;
  latencyMs: Spread;
  users: number;
  rounds: number;
};
const measured = new WeakMap<BenchContext, Promise<UsersAtOnce>>();

/** Once for both rows. */
function usersAtOnce(context: BenchContext): Promise<UsersAtOnce> {
  const known = measured.get(context) ?? measureUsers(context);
  measured.set(context, known);
  return known;
}

function measureUsers({ samples, withSandboxes }: BenchContext): Promise<UsersAtOnce> {
  return withSandboxes({}, async ({ sandboxes }) => {
    const users = await Promise.all(
      Array.from({ length: USERS }, (_, index) => sandboxes.open(`user${index}`)),
    );
    for (const [index, sandbox] of users.entries()) await cell(sandbox, `mine, n = ${index}, 0`);
    const latencies: number[] = [];
    const rounds = Math.max(20, samples);
    const elapsed = await time(() =>
      Promise.all(
        users.map(async (sandbox, index) => {
          for (let round = 1; round <= rounds; round++) {
            const began = performance.now();
            const seen = await cell(sandbox, "n += 1\n(mine, n)");
            latencies.push(performance.now() - began);
            if (seen !== `(${index}, ${round})`)
              throw new Error(`User ${index} saw ${seen} in round ${round}.`);
          }
        }),
      ),
    );
    return {
      callsPerSecond: (latencies.length / elapsed) * 1000,
      latencyMs: spread(latencies),
      ...{ users: USERS, rounds },
    };
  });
}

async function cell(sandbox: Sandbox, code: string, session?: string): Promise<string | undefined> {
  const result = await sandbox.python(code, { timeoutMs: 60_000, ...(session && { session }) });
  if (result.status !== "completed") throw new Error(`A cell was ${result.status}: ${result.stderr}`);
  return result.results[0]?.text;
}
