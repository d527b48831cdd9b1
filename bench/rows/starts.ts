// Commands in sandboxes that have to come from somewhere first: the warm pool, or a stopped container.

import { setTimeout as sleep } from "node:timers/promises";
import { containerSpec } from "#sandbox/docker/container-spec.ts";
import { dockerCli } from "../context.ts";
import { contest, time } from "../measure.ts";
import { type Row, ratioOf } from "../row.ts";

export const newUser: Row = {
  name: "new-user",
  what: "a brand-new user's first command with a warm pool, against `docker run --rm image true`",
  bar: { atMost: 0.05 },
  unit: "×",
  measure: ({ image, samples, withSandboxes }) =>
    withSandboxes({ warmPool: 2 }, async ({ sandboxes }) => {
      const warm = async () => (await sandboxes.list()).filter(({ state }) => state === "warm").length;
      let users = 0;
      const result = await contest(
        samples,
        async () => {
          while ((await warm()) < 2) await sleep(20);
          const userId = `user${users++}`;
          const ms = await time(async () => (await sandboxes.open(userId)).run("true"));
          await sandboxes.destroy(userId);
          return ms;
        },
        () => time(() => dockerCli("run", "--rm", "--network", "none", "--entrypoint", "true", image)),
      );
      return ratioOf(result);
    }),
};

export const stoppedSandbox: Row = {
  name: "stopped",
  what: "a stopped sandbox's first command, against `docker start` and `docker exec` on the same profile",
  bar: { atMost: 1 },
  unit: "×",
  measure: ({ docker, image, samples, withSandboxes }) =>
    withSandboxes({}, async ({ sandboxes, installation }) => {
      const sandbox = await sandboxes.open("ann");
      await sandbox.run("true");
      const limits = {
        memoryBytes: 2 ** 30,
        cpus: 1,
        pids: 256,
        openFiles: 4096,
        tmpBytes: 2 ** 28,
        shmBytes: 2 ** 26,
      };
      const workspace = {
        Type: "volume" as const,
        Source: `cove-${installation}-plain`,
        Target: "/workspace",
      };
      await docker.createVolume({ Name: workspace.Source, Labels: { cove: installation } });
      const sharedVolume = `cove-${installation}-shared`;
      const spec = {
        id: `${installation}-plain`,
        installation,
        image,
        uid: 30_000,
        limits,
        workspace,
        sharedVolume,
      };
      const plain = await docker.createContainer(containerSpec(spec));
      const result = await contest(
        samples,
        async () => {
          await sandboxes.stop("ann");
          return time(() => sandbox.run("true"));
        },
        async () => {
          const ms = await time(async () => {
            await dockerCli("start", plain.id);
            await dockerCli("exec", plain.id, "true");
          });
          await plain.stop({ t: 0 });
          return ms;
        },
      );
      await plain.remove({ force: true });
      return ratioOf(result);
    }),
};
