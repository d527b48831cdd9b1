// The Docker engine as the rest of this folder sees it: every call waits in a queue and fails with a sentence.

import type Docker from "dockerode";
import type { Priority } from "../engine/engine.ts";
import { EngineError, SandboxError } from "../errors.ts";
import { Queue } from "../queue.ts";

export type DockerClient = ReturnType<typeof dockerClient>;

/** An operation passes the signal on to the request, which ends with it. */
type Operation<T> = (abortSignal: AbortSignal) => Promise<T>;
type CallOptions = { priority?: Priority; toleratedCodes?: number[] };

/** A busy engine takes seconds. One that takes longer than `timeoutMs` hangs, and must not hold up the others in the queue. */
export function dockerClient(docker: Docker, { concurrency = 3, timeoutMs = 30_000 } = {}) {
  const queue = new Queue(concurrency);

  /** Runs one operation. `toleratedCodes` are HTTP answers that mean it is already as wanted. */
  function call<T>(operation: Operation<T>, options?: { priority?: Priority }): Promise<T>;
  function call<T>(operation: Operation<T>, options: CallOptions): Promise<T | undefined>;
  async function call<T>(operation: Operation<T>, options: CallOptions = {}): Promise<T | undefined> {
    try {
      return await queue.run(() => within(timeoutMs, operation), options.priority ?? "user");
    } catch (error) {
      if (options.toleratedCodes?.includes((error as DockerFailure).statusCode ?? 0)) return undefined;
      throw explain(error as DockerFailure);
    }
  }

  /** For what takes as long as it takes, such as the work of a helper: it has its own time, and no place in the queue. */
  async function attend<T>(operation: Operation<T>, mostMs: number): Promise<T> {
    try {
      return await within(mostMs, operation);
    } catch (error) {
      throw explain(error as DockerFailure);
    }
  }

  return { docker, call, attend };
}

async function within<T>(ms: number, operation: Operation<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new EngineError("engine_unavailable", `The container engine didn't answer within ${ms / 1000} s.`),
      );
      controller.abort();
    }, ms);
  });
  try {
    return await Promise.race([operation(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
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
