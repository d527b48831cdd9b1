// What a sandbox costs while it does nothing, and what the server needs while a command floods it.

import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { spread } from "../measure.ts";
import type { Row } from "../row.ts";

const MB = 2 ** 20;

export const idleMemory: Row = {
  name: "idle-memory",
  what: "memory of an idle sandbox without Python sessions, all its processes, shared pages counted once",
  bar: { atMost: 12 },
  unit: "MB",
  measure: ({ docker, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes, containerOf }) => {
      const sandbox = await sandboxes.open("ann");
      for (let round = 0; round < 100; round++) await sandbox.run("true");
      // Workers that start commands go home after three seconds; until then it isn't idle.
      await sleep(4000);
      const { Processes } = await docker
        .getContainer(await containerOf("ann"))
        .top({ ps_args: "-eo pid,args" });
      const processes = await Promise.all(
        Processes.map(async ([pid = "", ...args]: string[]) => ({
          command: args.join(" "),
          ...(await sizes(pid)),
        })),
      );
      const total = (key: "residentMB" | "proportionalMB") =>
        processes.reduce((sum, one) => sum + one[key], 0);
      return { value: total("proportionalMB"), details: { residentMB: total("residentMB"), processes } };
    }),
};

async function sizes(pid: string) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const megabytes = (key: string) => Number(rollup.match(new RegExp(`^${key}: +(\\d+) kB`, "m"))?.[1]) / 1024;
  return { residentMB: megabytes("Rss"), proportionalMB: megabytes("Pss") };
}

export const flood: Row = {
  name: "100-MB-stdout",
  what: "100 MB of stdout: growth of the server's resident size, output capped and correct",
  bar: { atMost: 20 },
  unit: "MB",
  measure: ({ withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes }) => {
      const sandbox = await sandboxes.open("ann");
      const flood = (megabytes: number) => sandbox.run(`head -c ${megabytes}M /dev/zero | tr '\\0' x`);
      for (let round = 0; round < 50; round++) await sandbox.run("true");
      const growths: number[] = [];
      for (let round = 0; round < 5; round++) {
        globalThis.gc?.();
        const before = process.memoryUsage.rss();
        let peak = before;
        const watch = setInterval(() => {
          peak = Math.max(peak, process.memoryUsage.rss());
        }, 5);
        const { status, stdout, truncated, omitted } = await flood(100);
        clearInterval(watch);
        const kept = sandbox.limits.outputHead + sandbox.limits.outputTail;
        const right = status === "completed" && truncated && omitted.stdout === 100 * MB - kept;
        if (!right || stdout.length > kept + 200)
          throw new Error("The output was not capped as it should be.");
        growths.push((peak - before) / MB);
      }
      return { value: Math.max(...growths), details: { growthMB: spread(growths) } };
    }),
};
