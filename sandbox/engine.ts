// The container engine as the lifecycle sees it: every call waits its turn and fails with a sentence.

import type Docker from "dockerode";
import { EngineError, SandboxError } from "./errors.ts";
import { engineQueue, type Priority } from "./lifecycle/engine-queue.ts";

export type Engine = ReturnType<typeof engineOf>;

export function engineOf(docker: Docker, { concurrency = 3 } = {}) {
  const queue = engineQueue(concurrency);

  /** Runs one operation. `toleratedCodes` are HTTP answers that mean it is already as wanted. */
  async function call<T>(
    operation: () => Promise<T>,
    { priority = "user" as Priority, toleratedCodes = [] as number[] } = {},
  ): Promise<T | undefined> {
    try {
      return await queue.run(operation, priority);
    } catch (error) {
      if (toleratedCodes.includes((error as DockerFailure).statusCode ?? 0)) return undefined;
      throw explain(error as DockerFailure);
    }
  }

  return { docker, call };
}

type DockerFailure = Error & { statusCode?: number; code?: string };

/** One table from what the engine says to what a caller can act on. */
export function explain(error: DockerFailure): SandboxError {
  if (error instanceof SandboxError) return error;
  const say = (code: ConstructorParameters<typeof EngineError>[0], sentence: string) =>
    new EngineError(code, sentence, { cause: error });
  if (unreachable.has(error.code ?? "") || /socket hang up/.test(error.message)) {
    return say("engine_unavailable", "The container engine doesn't answer: is Docker running?");
  }
  if (error.statusCode === 404 && /No such image/i.test(error.message)) {
    return say(
      "image_missing",
      "The sandbox image is missing from the engine: restart Cove to build it again.",
    );
  }
  if (error.statusCode === 404) return say("sandbox_gone", "The sandbox's container is gone.");
  if (/no space left on device/i.test(error.message)) {
    return say("disk_full", "The engine's disk is full: ask the operator to free space.");
  }
  return say("engine_failed", `The container engine failed: ${error.message}`);
}

const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EACCES",
]);
