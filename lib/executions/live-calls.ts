// The calls this process is answering: where each stands, and how to stop it, also while it waits in the queue, where its
// sandbox knows nothing of it yet.
import { log } from "../log.ts";
import { countCall } from "../observe/metrics.ts";
import { perProcess } from "../per-process.ts";
import type { ToolCall } from "./tool-call.ts";

export interface LiveCall {
  id: string;
  userId: string;
  state: "queued" | "running";
  /** Its tool was let loose: from here on something may have happened, whatever comes back. */
  touched: boolean;
  signal: AbortSignal;
  stop(): void;
  /** How long its caller will wait from now on; undefined for one who waits for the end. */
  leftMs(): number | undefined;
  /** The caller has an answer, and what becomes of the caller doesn't concern the run any more. */
  letGo(): void;
  /** Resolves once the call has its answer and the record knows it. */
  ended: Promise<void>;
  end(): void;
  /** For the metrics and the log; `refused` when nothing ran. */
  count(outcome: string): void;
}

const calls = perProcess<Map<string, LiveCall>>("live-calls");

export function beginLive(id: string, call: ToolCall): LiveCall {
  const { userId, name, door, signal: callerSignal, waitMs } = call;
  const all = calls.get(() => new Map());
  const started = performance.now();
  const controller = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stop = () => controller.abort(callerSignal?.aborted ? callerSignal.reason : undefined);
  const letGo = () => callerSignal?.removeEventListener("abort", stop);
  if (callerSignal?.aborted) stop();
  else callerSignal?.addEventListener("abort", stop, { once: true });
  const live: LiveCall = {
    id,
    userId,
    state: "queued",
    touched: false,
    signal: controller.signal,
    stop,
    letGo,
    ended,
    leftMs: () => (waitMs === undefined ? undefined : Math.max(0, started + waitMs - performance.now())),
    end() {
      letGo();
      all.delete(id);
      resolve();
    },
    count(outcome) {
      const ms = performance.now() - started;
      countCall({ tool: name, door, outcome, seconds: ms / 1000 });
      log().info({ executionId: id, userId, tool: name, door, outcome, ms: Math.round(ms) }, "a call ended");
    },
  };
  all.set(id, live);
  return live;
}

/** The user's own call; nobody else's is found. */
export function findLive(userId: string, id: string): LiveCall | undefined {
  const live = calls.peek()?.get(id);
  return live?.userId === userId ? live : undefined;
}
