// What everything is held against, measured in the same run: the engine's own exec, and a server built the usual way on it.
import { type BenchContext, dockerCli, dockerExec } from "./context.ts";
import { bashTrue } from "./cove.ts";
import { type Spread, spread, throughput, time } from "./measure.ts";
import { startMinimal } from "./start-minimal.ts";

export interface References {
  dockerExec: Spread;
  dockerodeExec: Spread;
  minimalServer: Spread;
  /** Calls per second of 16 clients at once. */
  minimalServer16: number;
}

export function measureReferences({ docker, samples, withSandboxes }: BenchContext): Promise<References> {
  return withSandboxes({}, async ({ containerOf, sandboxes }) => {
    await (await sandboxes.open("ann")).run("true");
    const container = await containerOf("ann");
    const minimal = await startMinimal(container);
    const ways = {
      dockerExec: () => dockerCli("exec", container, "true"),
      dockerodeExec: () => dockerExec(docker, container, ["true"]),
      minimalServer: () => bashTrue(minimal),
    };
    try {
      const times: Record<keyof typeof ways, number[]> = {
        ...{ dockerExec: [], dockerodeExec: [], minimalServer: [] },
      };
      for (let round = 0; round < samples; round++) {
        for (const [name, way] of Object.entries(ways))
          times[name as keyof typeof ways].push(await time(way));
      }
      return {
        dockerExec: spread(times.dockerExec),
        dockerodeExec: spread(times.dockerodeExec),
        minimalServer: spread(times.minimalServer),
        minimalServer16: await throughput(16, samples * 2, ways.minimalServer),
      };
    } finally {
      minimal.close();
    }
  });
}
