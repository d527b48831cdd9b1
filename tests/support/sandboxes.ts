// Real sandboxes for one test file: small disks, no warm pool unless asked for, everything removed afterwards.

import { containerName } from "#sandbox/docker/container-spec.ts";
import type { Logger, SandboxesOptions } from "#sandbox/index.ts";
import { dockerEngine, memoryOwnership, openSandboxes } from "#sandbox/index.ts";
import { type Installation, newInstallation } from "./installation.ts";

const MB = 2 ** 20;

export type TestSandboxes = Awaited<ReturnType<typeof testSandboxes>>;

export async function testSandboxes(changes: Partial<SandboxesOptions> = {}, installation?: Installation) {
  const at = installation ?? (await newInstallation());
  const warnings: { message: string; details: object }[] = [];
  const options: SandboxesOptions = {
    engine: dockerEngine({ docker: at.docker }),
    installation: at.installation,
    image: at.image,
    dataDir: at.dataDir,
    ownership: memoryOwnership(),
    warmPool: 0,
    disk: { bytes: 64 * MB, reserveBytes: 0, quota: "hard" },
    limits: { memoryBytes: 256 * MB, tmpBytes: 32 * MB, shmBytes: 16 * MB, pids: 128 },
    idle: { pauseAfterMs: 0, stopAfterMs: 0 },
    log: collecting(warnings),
    ...changes,
  };
  const sandboxes = await openSandboxes(options);

  /** The container behind a user's sandbox, for tests that do to it what no user could. */
  async function container(userId: string) {
    const { id } = await sandboxes.open(userId);
    return at.docker.getContainer(containerName(id));
  }

  /** Runs a command for a user and returns its trimmed output, both streams together. */
  async function sh(userId: string, command: string, timeoutMs = 30_000): Promise<string> {
    const sandbox = await sandboxes.open(userId);
    const { stdout, stderr } = await sandbox.run(command, { timeoutMs });
    return `${stdout}${stderr}`.trim();
  }

  async function cleanUp() {
    await sandboxes.close();
    await at.cleanUp();
  }

  return { ...at, at, options, sandboxes, warnings, container, sh, cleanUp };
}

function collecting(warnings: { message: string; details: object }[]): Logger {
  const collect = (details: object, message: string) => void warnings.push({ message, details });
  return { debug() {}, info() {}, warn: collect, error: collect };
}
