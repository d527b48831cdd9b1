// The executions of one sandbox: each is begun when there is a place for it, followed to its end, and then forgotten inside.

import { randomUUID } from "node:crypto";
import type { RecordedDenial } from "../egress/denial-log.ts";
import { ignoreGone, SandboxError } from "../errors.ts";
import type { Observer } from "../observer.ts";
import type { Pipe, UsePipe } from "../pipe/pipe.ts";
import type { AttachOptions, RunOptions, RunResult, SandboxLimits } from "../types.ts";
import { deniedHosts } from "./denied-hosts.ts";
import { ExecutionFollower } from "./execution-follower.ts";
import { endOrDetach, runExecution } from "./run-execution.ts";
import { blankResult } from "./run-result.ts";

/** Results that may be forgotten are named together, after this long. */
const COLLECT_AFTER_MS = 500;

export type ExecutionsOptions = {
  use: UsePipe;
  limits: SandboxLimits;
  observer: Observer;
  /** A place for one execution; the function it resolves to gives the place back. */
  admit?: ((signal?: AbortSignal) => Promise<() => void>) | undefined;
  /** What was denied to this sandbox since then (as of `Date.now()`). */
  denials?: ((sinceMs: number) => RecordedDenial[]) | undefined;
  /** A deadline passed and not even a uid-wide kill helped: the machine has to be restarted. */
  onUnresponsive?: ((pipe: Pipe) => void) | undefined;
};

export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #deniedDuring: ReturnType<typeof deniedHosts>;
  #collected: string[] = [];

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    this.#deniedDuring = deniedHosts(options.denials ?? (() => []));
  }

  /** Whatever becomes of what runs is a result, never an error. `request` says what that is, as the daemon understands it. */
  async run(request: object, options: RunOptions, session?: string): Promise<RunResult> {
    const { use, limits, observer, admit, onUnresponsive } = this.#options;
    const executionId = options.executionId ?? randomUUID();
    requireSense(executionId, options);
    const timeoutMs = Math.min(options.timeoutMs ?? limits.timeoutMs, limits.maxTimeoutMs);
    let release: (() => void) | undefined;
    try {
      release = await observer.around("line", async () => admit?.(options.signal));
      options.onBegin?.();
      return await use((pipe) =>
        runExecution(pipe, {
          ...options,
          executionId,
          request,
          session,
          timeoutMs,
          limits,
          observer,
          denied: this.#deniedDuring(executionId),
          onResult: (result) => this.#collectOnceOver(pipe, result, options.keep),
          onUnresponsive: () => onUnresponsive?.(pipe),
        }),
      );
    } catch (error) {
      // Cancelled while it waited for a place or for the sandbox.
      if (options.signal?.aborted && error === options.signal.reason)
        return blankResult(executionId, "cancelled");
      throw error;
    } finally {
      release?.();
    }
  }

  /** All output of an execution and its result; `running` if it isn't over after `waitMs`. */
  attach(executionId: string, options: AttachOptions): Promise<RunResult> {
    const { use, limits } = this.#options;
    return use(async (pipe) => {
      options.signal?.throwIfAborted();
      const follower = new ExecutionFollower({
        pipe,
        executionId,
        request: { op: "attach", id: executionId },
        limits,
        denied: this.#deniedDuring(executionId),
        onOutput: options.onOutput,
      });
      const result = await endOrDetach(follower, options.waitMs, options.signal);
      this.#collectOnceOver(pipe, result, options.keep);
      return result;
    });
  }

  /**
   * Tells the sandbox which results it may forget, many with one message. If that is lost, the daemon forgets the oldest by
   * itself.
   */
  #collectOnceOver(pipe: Pipe, { executionId, status }: RunResult, keep = false): void {
    if (keep || status === "running" || status === "interrupted") return;
    this.#collected.push(executionId);
    if (this.#collected.length > 1) return;
    const timer = setTimeout(() => {
      const ids = this.#collected;
      this.#collected = [];
      // Over the pipe as it is: forgetting is no reason to wake a sandbox.
      if (pipe.state === "connected") pipe.request({ op: "collect", ids }).catch(ignoreGone);
    }, COLLECT_AFTER_MS);
    timer.unref();
  }
}

function requireSense(executionId: string, { timeoutMs = 1, graceMs = 0, waitMs = 0 }: RunOptions): void {
  if (!/^[\w.:-]{1,128}$/.test(executionId))
    throw new SandboxError(
      "invalid_argument",
      "An execution id is made of letters, digits and -_.: only, up to 128.",
    );
  if (!(timeoutMs > 0 && graceMs >= 0 && waitMs >= 0))
    throw new SandboxError(
      "invalid_argument",
      "timeoutMs must be above zero; graceMs and waitMs can't be negative.",
    );
}
