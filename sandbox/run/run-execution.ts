// Carries out one execution over the pipe: hands it its input, watches its deadline, and stays with it to its end, for a while,
// or only until it has begun.

import { ignoreGone } from "../errors.ts";
import type { Observer } from "../observer.ts";
import type { Pipe } from "../pipe/pipe.ts";
import type { PipeStream } from "../pipe/pipe-stream.ts";
import type { DeniedHost, RunOptions, RunResult, SandboxLimits } from "../types.ts";
import { ExecutionFollower } from "./execution-follower.ts";
import { blankResult } from "./run-result.ts";

/** How much later than its deadline an execution may end before harder means are used. */
const OVERDUE_MS = 10_000;

export type ExecutionOptions = RunOptions & {
  executionId: string;
  /** What is to run, as the daemon understands it. */
  request: object;
  /** The session whose cell it is. */
  session?: string | undefined;
  timeoutMs: number;
  limits: SandboxLimits;
  /** What was denied since the execution began. */
  denied: () => DeniedHost[];
  observer: Observer;
  onResult: (result: RunResult) => void;
  /** A deadline passed and not even a uid-wide kill helped. */
  onUnresponsive: () => void;
};

export async function runExecution(pipe: Pipe, options: ExecutionOptions): Promise<RunResult> {
  const { executionId, session, limits, denied, signal, timeoutMs } = options;
  if (signal?.aborted) return blankResult(executionId, "cancelled");
  const follower = new ExecutionFollower({
    pipe,
    executionId,
    limits,
    denied,
    onOutput: options.onOutput,
    ...(session !== undefined && { session }),
    request: {
      ...options.request,
      id: executionId,
      timeout_ms: Math.ceil(timeoutMs),
      grace_ms: options.graceMs,
      head: limits.outputHead,
      tail: limits.outputTail,
      ...(options.background && { ack: true, most_background: limits.backgroundExecutions }),
    },
  });
  const input = feedInput(follower.stream, options.stdin);
  if (options.background) return await leaveInBackground(follower, input);
  const stop = () => pipe.request({ op: "kill", id: executionId }).catch(ignoreGone);
  signal?.addEventListener("abort", stop, { once: true });
  const unwatch = watchDeadline(pipe, {
    begun: session === undefined ? Promise.resolve() : follower.started,
    timeoutMs: timeoutMs + (options.graceMs ?? 0),
    onUnresponsive: options.onUnresponsive,
  });
  try {
    let failure: { cause: unknown } | undefined;
    input.catch((cause) => {
      failure = { cause };
      return stop();
    });
    // Not `await input`: whoever produces it may never notice that nobody reads it any more.
    const result = await options.observer.around("pipe", () => endOrDetach(follower, options.waitMs));
    options.onResult(result);
    if (failure) throw failure.cause;
    return result;
  } finally {
    unwatch();
    signal?.removeEventListener("abort", stop);
  }
}

/** The result, or what there is when `waitMs` are over or the signal says so; the execution goes on. */
export function endOrDetach(
  follower: ExecutionFollower,
  waitMs?: number,
  signal?: AbortSignal,
): Promise<RunResult> {
  if (waitMs === undefined && !signal) return follower.ended;
  return new Promise((resolve, reject) => {
    const detach = () => {
      follower.stream.cancel();
      resolve(follower.soFar());
    };
    const timer = waitMs === undefined ? undefined : setTimeout(detach, waitMs);
    signal?.addEventListener("abort", detach, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", detach);
    };
    follower.ended.then(resolve, reject).finally(settle);
  });
}

/** Returns once the command runs, or the cell waits for the ones before it; input, if any, goes on in the background. */
async function leaveInBackground(follower: ExecutionFollower, input: Promise<void>): Promise<RunResult> {
  // A command that can't be started says so at once.
  await Promise.race([follower.started, follower.ended]);
  const detach = () => follower.stream.cancel();
  input.then(detach, detach);
  return follower.soFar();
}

/** Sends a command its input as it is produced, and its end. Resolves when that is done, or nobody reads it any more. */
async function feedInput(stream: PipeStream, stdin: RunOptions["stdin"]): Promise<void> {
  if (stdin === undefined) return;
  if (typeof stdin === "string") await stream.write(Buffer.from(stdin));
  else if (stdin instanceof Uint8Array) await stream.write(stdin);
  else
    for await (const chunk of stdin) {
      if (stream.done) break;
      await stream.write(chunk);
    }
  stream.end();
}

type Deadline = {
  /** The time runs from here on: a cell may have to wait for others first. */
  begun: Promise<void>;
  timeoutMs: number;
  onUnresponsive: () => void;
};

/**
 * The daemon enforces deadlines; this is for the case that it doesn't: everything in the sandbox is ended, and if even
 * that doesn't help, whoever keeps the machine hears of it. Returns the function that ends the watch.
 */
function watchDeadline(pipe: Pipe, { begun, timeoutMs, onUnresponsive }: Deadline): () => void {
  let timer: NodeJS.Timeout | undefined;
  let cancelled = false;
  const after = (ms: number, action: () => void) => {
    if (cancelled) return;
    timer = setTimeout(action, ms);
    timer.unref();
  };
  const insist = () => {
    pipe.killAll().catch(ignoreGone);
    after(OVERDUE_MS, onUnresponsive);
  };
  begun.then(() => after(timeoutMs + OVERDUE_MS, insist));
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
}
