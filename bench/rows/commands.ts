// Commands in a sandbox that is awake, against the engine's own exec.

import { dockerExec } from "../context.ts";
import { contest, throughput, time } from "../measure.ts";
import { type Row, ratioOf } from "../row.ts";

export const warmCommand: Row = {
  name: "warm-true",
  what: "warm `true`, call to result, against dockerode exec (create, start, inspect)",
  bar: { atMost: 0.06 },
  unit: "×",
  measure: ({ docker, samples, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes, containerOf }) => {
      const sandbox = await sandboxes.open("ann");
      await sandbox.run("true");
      const container = await containerOf("ann");
      const result = await contest(
        Math.max(samples, 200),
        () => time(() => sandbox.run("true")),
        () => time(() => dockerExec(docker, container, ["true"])),
        20,
      );
      return ratioOf(result);
    }),
};

export const concurrentCommands: Row = {
  name: "16-callers",
  what: "16 concurrent callers of `true`, calls/s, against the same through dockerode exec",
  bar: { atLeast: 18 },
  unit: "×",
  measure: ({ docker, samples, withSandboxes }) =>
    withSandboxes({ concurrency: { perUser: 16 } }, async ({ sandboxes, containerOf }) => {
      const sandbox = await sandboxes.open("ann");
      await sandbox.run("true");
      const container = await containerOf("ann");
      await throughput(16, 200, () => sandbox.run("true"));
      const rounds = [];
      for (let round = 0; round < 3; round++) {
        const ours = await throughput(16, samples * 10, () => sandbox.run("true"));
        const theirs = await throughput(16, samples, () => dockerExec(docker, container, ["true"]));
        rounds.push({ ours, theirs, ratio: ours / theirs });
      }
      const [, middle] = rounds.toSorted((a, b) => a.ratio - b.ratio);
      return { value: middle?.ratio ?? 0, details: { rounds } };
    }),
};

export const resumeFromPause: Row = {
  name: "resume",
  what: "from pause to a command's result, against dockerode exec in a running container",
  bar: { atMost: 0.35 },
  unit: "×",
  measure: ({ docker, samples, withSandboxes }) =>
    withSandboxes(
      { idle: { pauseAfterMs: 10, stopAfterMs: 0, everyMs: 10 } },
      async ({ sandboxes, containerOf }) => {
        const sandbox = await sandboxes.open("ann");
        const container = docker.getContainer(await containerOf("ann"));
        await sandbox.run("true");
        const paused = async () => {
          while (!(await container.inspect()).State.Paused) await new Promise(setImmediate);
        };
        const awake = await sandboxes.open("bob");
        const { executionId } = await awake.run("sleep 3600", { background: true, timeoutMs: 3_600_000 });
        const other = await containerOf("bob");
        const result = await contest(
          samples,
          async () => {
            await paused();
            return time(() => sandbox.run("true"));
          },
          () => time(() => dockerExec(docker, other, ["true"])),
        );
        await awake.stop(executionId);
        return ratioOf(result);
      },
    ),
};
