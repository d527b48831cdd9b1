// One user's sandbox as the rest of Cove sees it: run commands, follow them, reach the files.
import { SandboxFiles } from "./files/files.ts";
import { nobodyWatches, type Observer } from "./observer.ts";
import { truth } from "./pipe/messages.ts";
import { type Completion, completionRequest, readCompletion } from "./run/completion.ts";
import { Executions, type ExecutionsOptions } from "./run/executions.ts";
import { SandboxPackages } from "./run/packages.ts";
import { type ProcessSignal, type SandboxProcess, signalProcess } from "./run/processes.ts";
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

export type SandboxOptions = Omit<ExecutionsOptions, "observer" | "limits"> & {
  id: string;
  observer?: Observer;
  limits?: Partial<SandboxLimits>;
  wouldWait?: () => boolean;
  started?: () => boolean;
  /** Rejects when there is no room to write files. */
  requireRoom?: () => Promise<void>;
};

export class Sandbox {
  readonly id: string;
  readonly files: SandboxFiles;
  readonly packages: SandboxPackages;
  readonly limits: SandboxLimits;
  readonly #executions: Executions;
  readonly #use: SandboxOptions["use"];
  readonly #wouldWait: SandboxOptions["wouldWait"];
  readonly #started: SandboxOptions["started"];

  constructor({ id, observer = nobodyWatches, limits, wouldWait, started, ...options }: SandboxOptions) {
    const { use, requireRoom } = options;
    this.id = id;
    this.limits = { ...defaultLimits, ...limits };
    this.#use = use;
    this.#wouldWait = wouldWait;
    this.#started = started;
    this.#executions = new Executions({ ...options, observer, limits: this.limits });
    this.packages = new SandboxPackages((command, settings) => this.run(command, settings));
    this.files = new SandboxFiles(use, this.limits, requireRoom);
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
    return this.#executions.run({ op: "run", command, cwd, env, stdin: stdin !== undefined }, options);
  }

  /**
   * Runs Python in a session, where variables last from call to call. Cells of one session run one after the other. Whatever becomes of
   * the code is a result, never an error.
   */
  async python(code: string, options: PythonOptions = {}): Promise<PythonResult> {
    const session = options.session ?? "default";
    const graceMs = options.graceMs ?? INTERRUPT_GRACE_MS;
    const request = { op: "python", code, session, results: this.limits.resultBytes };
    const result = await this.#executions.run(request, { ...options, graceMs }, session);
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
    return this.#executions.attach(executionId, options);
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
}
