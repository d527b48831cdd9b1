// One user's sandbox as the rest of Cove sees it: run commands, follow them, reach the files.
import { randomUUID } from "node:crypto";
import type { RecordedDenial } from "./egress/denials.ts";
import { ignoreGone, SandboxError } from "./errors.ts";
import { SandboxFiles } from "./files/files.ts";
import { nobodyWatches, type Observer } from "./observer.ts";
import { truth } from "./pipe/messages.ts";
import type { Pipe } from "./pipe/pipe.ts";
import { blankResult } from "./run/blank-result.ts";
import { collectSoon } from "./run/collect-soon.ts";
import { type Completion, completionRequest, readCompletion } from "./run/completion.ts";
import { deniedHosts } from "./run/denied-hosts.ts";
import { feedInput } from "./run/feed-input.ts";
import { Following } from "./run/follow-execution.ts";
import { SandboxPackages } from "./run/packages.ts";
import { type ProcessSignal, type SandboxProcess, signalProcess } from "./run/processes.ts";
import { endOrDetach, inBackground } from "./run/wait-for-end.ts";
import { watchDeadline } from "./run/watch-deadline.ts";
import {
  type AttachOptions,
  defaultLimits,
  type PythonOptions,
  type PythonResult,
  type RunOptions,
  type RunResult,
  type SandboxInfo,
  type SandboxLimits,
} from "./types.ts";

/** How long an interrupted cell has before its session is ended. */
const INTERRUPT_GRACE_MS = 2000;

/** Wakes the sandbox if need be, counts the call as in flight and hands over the pipe. */
export type UsePipe = <T>(work: (pipe: Pipe) => Promise<T>) => Promise<T>;

export type SandboxOptions = {
  id: string;
  use: UsePipe;
  observer?: Observer;
  limits?: Partial<SandboxLimits>;
  /** A place for one execution; the function it resolves to gives the place back. */
  admit?: (signal?: AbortSignal) => Promise<() => void>;
  wouldWait?: () => boolean;
  started?: () => boolean;
  /** Rejects when there is no room to write files. */
  requireRoom?: () => Promise<void>;
  /** What was denied to this sandbox since then (as of `Date.now()`). */
  denials?: (sinceMs: number) => RecordedDenial[];
  /** A deadline passed and not even a uid-wide kill helped: the machine has to be restarted. */
  onUnresponsive?: (pipe: Pipe) => void;
};

export class Sandbox {
  readonly id: string;
  readonly files: SandboxFiles;
  readonly packages: SandboxPackages;
  readonly limits: SandboxLimits;
  #use: UsePipe;
  #admit: SandboxOptions["admit"];
  #wouldWait: SandboxOptions["wouldWait"];
  #started: SandboxOptions["started"];
  #onUnresponsive: SandboxOptions["onUnresponsive"];
  #deniedDuring: ReturnType<typeof deniedHosts>;
  #observer: Observer;
  #collectSoon = collectSoon();

  constructor(options: SandboxOptions) {
    this.id = options.id;
    this.limits = { ...defaultLimits, ...options.limits };
    this.#use = options.use;
    this.#observer = options.observer ?? nobodyWatches;
    this.#onUnresponsive = options.onUnresponsive;
    this.#admit = options.admit;
    this.#wouldWait = options.wouldWait;
    this.#started = options.started;
    this.#deniedDuring = deniedHosts(options.denials ?? (() => []));
    this.packages = new SandboxPackages((command, given) => this.run(command, given));
    this.files = new SandboxFiles(options.use, this.limits, options.requireRoom);
  }

  /** Whether an execution that is started now has to wait for a place first. */
  get wouldWait(): boolean {
    return this.#wouldWait?.() ?? false;
  }

  /** Whether its processes are there, running or paused, and remember what they did. */
  get started(): boolean {
    return this.#started?.() ?? true;
  }

  /** Runs a command in a fresh bash. Whatever becomes of the command is a result, never an error. */
  run(command: string, options: RunOptions = {}): Promise<RunResult> {
    const { cwd, env, stdin } = options;
    return this.#execute(options, { op: "run", command, cwd, env, stdin: stdin !== undefined });
  }

  /**
   * Runs Python in a session, where variables last from call to call. Cells of one session run one after the other. Whatever becomes of
   * the code is a result, never an error.
   */
  async python(code: string, options: PythonOptions = {}): Promise<PythonResult> {
    const session = options.session ?? "default";
    const graceMs = options.graceMs ?? INTERRUPT_GRACE_MS;
    const request = { op: "python", code, session, results: this.limits.resultBytes };
    const result = await this.#execute({ ...options, graceMs }, request, session);
    return { ...result, session, restarted: result.restarted ?? false, results: result.results ?? [] };
  }

  /** Ends a session and its variables. Resolves to whether there was one. */
  resetSession(session = "default"): Promise<boolean> {
    return this.#use(async (pipe) =>
      pipe.read(await pipe.request({ op: "reset", session }), (message) => truth(message, "existed")),
    );
  }

  /** What could stand at the cursor, from what the session knows. Never waits for a cell, runs no code of the user's. */
  complete(session: string, code: string, cursor: number): Promise<Completion> {
    const request = completionRequest(session, code, cursor);
    return this.#use(async (pipe) =>
      pipe.read(await pipe.request(request), (message) => readCompletion(message, code)),
    );
  }

  /** Has an interpreter ready for the next new session, for a minute or as long as asked. It costs about 100 MB. */
  async prewarm(keepMs?: number): Promise<void> {
    await this.#use((pipe) => pipe.request({ op: "prewarm", keep_ms: keepMs }));
  }

  /** All output of an execution and its result; `running` if it isn't over after `waitMs`. */
  attach(executionId: string, options: AttachOptions = {}): Promise<RunResult> {
    return this.#use(async (pipe) => {
      options.signal?.throwIfAborted();
      const request = { op: "attach", id: executionId };
      const following = new Following({
        pipe,
        executionId,
        request,
        limits: this.limits,
        denied: this.#deniedDuring(executionId),
        onOutput: options.onOutput,
      });
      return await this.#wait(pipe, following, options);
    });
  }

  /** Ends an execution and everything it started; its result is `cancelled`. */
  async stop(executionId: string): Promise<void> {
    await this.#use((pipe) => pipe.request({ op: "kill", id: executionId }));
  }

  /** The results are recorded: the sandbox may forget them. One that was stopped has, and isn't started for this. */
  async collect(...executionIds: string[]): Promise<void> {
    if (!this.started) return;
    await this.#use((pipe) => pipe.request({ op: "collect", ids: executionIds }));
  }

  /** One process, whoever started it. Resolves to whether it was there. */
  signalProcess(process: Pick<SandboxProcess, "pid" | "started">, signal: ProcessSignal): Promise<boolean> {
    return this.#use((pipe) => signalProcess(pipe, process, signal));
  }

  info(): Promise<SandboxInfo> {
    return this.#use((pipe) => pipe.info());
  }

  async #execute(options: RunOptions, request: object, session?: string): Promise<RunResult> {
    const executionId = options.executionId ?? randomUUID();
    requireSense(executionId, options);
    let release: (() => void) | undefined;
    try {
      release = await this.#observer.around("line", async () => this.#admit?.(options.signal));
      options.onBegin?.();
      return await this.#start(executionId, options, request, session);
    } catch (error) {
      // Cancelled while it waited for a place or for the sandbox.
      if (options.signal?.aborted && error === options.signal.reason)
        return blankResult(executionId, "cancelled");
      throw error;
    } finally {
      release?.();
    }
  }

  #start(
    executionId: string,
    options: RunOptions,
    request: object,
    session: string | undefined,
  ): Promise<RunResult> {
    const timeoutMs = Math.min(options.timeoutMs ?? this.limits.timeoutMs, this.limits.maxTimeoutMs);
    return this.#use(async (pipe) => {
      if (options.signal?.aborted) return blankResult(executionId, "cancelled");
      const following = new Following({
        pipe,
        executionId,
        limits: this.limits,
        denied: this.#deniedDuring(executionId),
        onOutput: options.onOutput,
        ...(session !== undefined && { session }),
        request: {
          ...request,
          id: executionId,
          timeout_ms: Math.ceil(timeoutMs),
          grace_ms: options.graceMs,
          head: this.limits.outputHead,
          tail: this.limits.outputTail,
          ...(options.background && { ack: true, most_background: this.limits.backgroundExecutions }),
        },
      });
      const fed = feedInput(following.stream, options.stdin);
      if (options.background) return await inBackground(following, fed);
      const stop = () => pipe.request({ op: "kill", id: executionId }).catch(ignoreGone);
      options.signal?.addEventListener("abort", stop, { once: true });
      const unwatch = watchDeadline(pipe, {
        begun: session === undefined ? Promise.resolve() : following.started,
        timeoutMs: timeoutMs + (options.graceMs ?? 0),
        onUnresponsive: () => this.#onUnresponsive?.(pipe),
      });
      try {
        let failure: { cause: unknown } | undefined;
        fed.catch((cause) => {
          failure = { cause };
          return stop();
        });
        // Not `await fed`: whoever produces the input may never notice that nobody reads it any more.
        const wait = { waitMs: options.waitMs, keep: options.keep };
        const result = await this.#observer.around("pipe", () => this.#wait(pipe, following, wait));
        if (failure) throw failure.cause;
        return result;
      } finally {
        unwatch();
        options.signal?.removeEventListener("abort", stop);
      }
    });
  }

  async #wait(pipe: Pipe, following: Following, options: AttachOptions): Promise<RunResult> {
    const result = await endOrDetach(following, options.waitMs, options.signal);
    const over = result.status !== "running" && result.status !== "interrupted";
    if (over && !options.keep) this.#collectSoon(pipe, result.executionId);
    return result;
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
