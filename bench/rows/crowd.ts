// One user's commands while many others have a sandbox and do nothing in it.

import { spread, time } from "../measure.ts";
import type { Row } from "../row.ts";

const CROWD = 200;

export const crowd: Row = {
  name: "200-idle",
  what: "warm `true` of one user among 200 idle sandboxes, against alone",
  bar: { atMost: 1.2 },
  unit: "×",
  measure: ({ samples, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes }) => {
      const sandbox = await sandboxes.open("ann");
      const latency = async () => {
        const times: number[] = [];
        for (let round = 0; round < Math.max(samples, 300); round++)
          times.push(await time(() => sandbox.run("true")));
        return spread(times);
      };
      await latency();
      const alone = await latency();
      const others = Array.from({ length: CROWD }, (_, index) => `idle${index}`);
      await Promise.all(others.map(async (userId) => (await sandboxes.open(userId)).run("true")));
      await latency();
      const among = await latency();
      return { value: among.median / alone.median, ms: among, details: { alone, among, crowd: CROWD } };
    }),
};
