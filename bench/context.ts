// What every row works with: an installation of its own, sandboxes in it, and the engine used directly to compare.

import { execFile } from "node:child_process";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import Docker from "dockerode";
import { containerName } from "#sandbox/docker/container-spec.ts";
import { dockerEngine, openSandboxes, type Sandboxes, type SandboxesOptions } from "#sandbox/index.ts";
import { newInstallation } from "../tests/support/installation.ts";

export type BenchContext = {
  samples: number;
  docker: Docker;
  image: string;
  /** Runs `work` on fresh sandboxes and removes everything afterwards. */
  withSandboxes: <T>(changes: Partial<SandboxesOptions>, work: (bench: Bench) => Promise<T>) => Promise<T>;
};

type Bench = {
  sandboxes: Sandboxes;
  installation: string;
  /** Name of the container behind a user's sandbox. */
  containerOf: (userId: string) => Promise<string>;
};

export function benchContext(samples: number, image: string): BenchContext {
  const docker = new Docker();
  return {
    samples,
    docker,
    image,
    async withSandboxes(changes, work) {
      const at = await newInstallation(docker, image);
      try {
        const sandboxes = await openSandboxes({
          engine: dockerEngine({ docker }),
          image,
          installation: at.installation,
          dataDir: at.dataDir,
          warmPool: 0,
          disk: { bytes: 64 * 2 ** 20, reserveBytes: 0 },
          idle: { pauseAfterMs: 0, stopAfterMs: 0 },
          ...changes,
        });
        const containerOf = async (userId: string) => containerName((await sandboxes.open(userId)).id);
        try {
          return await work({ sandboxes, installation: at.installation, containerOf });
        } finally {
          // A row that failed must not go on making sandboxes beside the next one.
          await sandboxes.close();
        }
      } finally {
        await at.cleanUp();
      }
    },
  };
}

/** What a program does that talks to the engine directly: create the exec, start it, read it, inspect it. */
export async function dockerExec(docker: Docker, container: string, command: string[]): Promise<void> {
  const exec = await docker
    .getContainer(container)
    .exec({ Cmd: command, AttachStdout: true, AttachStderr: true });
  const stream: Duplex = await exec.start({});
  stream.resume();
  await new Promise((resolve) => stream.once("end", resolve));
  const { ExitCode } = await exec.inspect();
  if (ExitCode !== 0) throw new Error(`docker exec ended with ${ExitCode}`);
}

const execute = promisify(execFile);

export async function dockerCli(...args: string[]): Promise<void> {
  await execute("docker", args);
}
