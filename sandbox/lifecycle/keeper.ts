// Keeps one sandbox: wakes it when it is needed, holds the pipe to it, puts it to rest when nothing goes on.
// Its state changes one step at a time; a call on a running sandbox passes without waiting.

import type { MachineView, Priority, SandboxIdentity } from "../engine/engine.ts";
import { EngineError, SandboxError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Pipe } from "../pipe/pipe.ts";
import { Queue } from "../queue.ts";
import { Machine, type MachineOptions } from "./machine.ts";
import { answers, idlenessOf, SandboxPipe, type SandboxPipeOptions } from "./sandbox-pipe.ts";
import { whileEngineIsAway } from "./while-engine-is-away.ts";

export type KeeperOptions = MachineOptions &
  SandboxPipeOptions & {
    /** How long a result waits to be collected before the sandbox may be stopped regardless. */
    keepResultsMs: number;
    log: Logger;
  };

/** A sandbox that was used so recently is taken to be there still, unless its pipe has just been seen to break. */
const FRESH_MS = 200;

export class Keeper {
  readonly id: string;
  readonly #options: KeeperOptions;
  readonly #machine: Machine;
  readonly #pipe: SandboxPipe;
  readonly #changes = new Queue();
  #inFlight = 0;
  #lastUsed = Date.now();
  /** The pipe was given up, so the machine is started afresh before it is used again. */
  #distrusted = false;
  /** Until then it keeps results that nobody has collected; they would be lost with its memory. */
  #keepsResultsUntil = 0;
  /** Why it can't be used any more. */
  #over: SandboxError | undefined;

  constructor(sandbox: SandboxIdentity, view: MachineView | undefined, options: KeeperOptions) {
    this.id = sandbox.id;
    this.#options = options;
    this.#machine = new Machine(sandbox, view, options);
    this.#pipe = new SandboxPipe(sandbox, options, {
      beforeRedial: (pipe) => this.#revive(pipe),
      onDown: (error) => this.#giveUp("The pipe to a sandbox is down", error),
    });
  }

  get state() {
    return this.#machine.state;
  }

  get outdated(): boolean {
    return this.#machine.outdated;
  }

  get connected(): boolean {
    return this.#pipe.current !== undefined;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get lastUsed(): number {
    return this.#inFlight > 0 ? Date.now() : this.#lastUsed;
  }

  /** Wakes the sandbox and keeps it awake until `work` is done. */
  async use<T>(work: (pipe: Pipe) => Promise<T>): Promise<T> {
    const recent = Date.now() - this.#lastUsed < FRESH_MS;
    this.#inFlight++;
    try {
      const pipe = this.#ready();
      const fresh = recent && pipe?.state === "connected";
      if (pipe && (fresh || (await answers(pipe)))) return await work(pipe);
      return await work(
        this.#resumeAhead() ?? (await this.#options.observer.around("wake", () => this.wake())),
      );
    } finally {
      this.#inFlight--;
      this.#lastUsed = Date.now();
    }
  }

  /** Asks the daemon something if it is awake; that neither wakes it nor counts as use. */
  async peek<T>(ask: (pipe: Pipe) => Promise<T>): Promise<T | undefined> {
    const pipe = this.#ready();
    return pipe && ask(pipe);
  }

  wake(priority: Priority = "user"): Promise<Pipe> {
    return this.#changes.run(async () => {
      if (this.#over) throw this.#over;
      return (
        this.#ready() ??
        (await whileEngineIsAway(() => this.#bringUp(priority), this.#options.enginePatienceMs))
      );
    });
  }

  /** Resolves to whether it is paused now: never while anything goes on in it, or where the engine can't. */
  pause(): Promise<boolean> {
    return this.#changes.run(async () => {
      const pipe = this.#machine.canPause ? this.#ready() : undefined;
      if (!pipe || !(await this.#isIdle(pipe))) return this.state === "paused";
      // From here on nothing waits until the state has changed, so no call can slip in between.
      if (this.#inFlight > 0) return false;
      pipe.suspend();
      try {
        await this.#machine.pause();
        // Nobody waits for it, not even whoever wakes the sandbox meanwhile.
        void this.#trim();
        return true;
      } catch (error) {
        // From now on silence is noticed, and mended, if it is frozen after all.
        pipe.resume();
        await this.#machine.ensureRunning("background");
        throw error;
      }
    });
  }

  /** Asks the engine what became of a sandbox that we lost sight of. */
  look(): Promise<unknown> {
    return this.#changes.run(() => this.#machine.look());
  }

  stop(): Promise<void> {
    return this.#changes.run(() => this.#halt(() => this.#trim()));
  }

  /** Frees its memory unless something goes on in it; one of an older image makes room for a new one. */
  rest(): Promise<boolean> {
    return this.#changes.run(async () => {
      const pipe = this.#ready();
      if (pipe && !(await this.#isIdle(pipe))) return false;
      if (this.#inFlight > 0 || Date.now() < this.#keepsResultsUntil) return false;
      const trim = () => this.#trim();
      await (this.outdated ? this.#discard(trim) : this.#halt(trim));
      return true;
    });
  }

  /** Removes the machine; the next use makes another one on the same workspace. */
  removeMachine(): Promise<void> {
    return this.#changes.run(() => this.#discard());
  }

  /** With the disk at hand. Calls on a running sandbox pass meanwhile; one that rests doesn't wake before it is done. */
  withWorkspace<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(async () => {
      if (this.#over) throw this.#over;
      return this.#machine.withWorkspace(work);
    });
  }

  destroy(): Promise<void> {
    this.#over = new EngineError("sandbox_gone", "This sandbox was destroyed.");
    return this.#changes.run(async () => {
      this.#pipe.hangUp();
      await this.#machine.destroy();
    });
  }

  /** Ends everything in it. The pipe notices, has the machine started and tells the calls in flight. */
  restart(): Promise<void> {
    return this.#machine.kill();
  }

  /** The server is going: lets go of the sandbox, which stays as it is or loses its machine. */
  retire(mode: "stop" | "keep"): Promise<void> {
    this.#over = new SandboxError("closed", "The server is shutting down.");
    return this.#changes.run(async () =>
      mode === "stop" ? this.#discard(() => this.#trim()) : this.#pipe.hangUp(),
    );
  }

  #ready(): Pipe | undefined {
    return this.state === "running" ? this.#pipe.current : undefined;
  }

  /** A call that arrives while the daemon answers counts too: it has raised `inFlight` already. */
  async #isIdle(pipe: Pipe): Promise<boolean> {
    if (this.#inFlight > 0) return false;
    const idleness = await idlenessOf(pipe);
    if (!idleness) return false;
    this.#keepsResultsUntil = Date.now() + this.#options.keepResultsMs - idleness.resultAgeMs;
    // What goes on in the background counts as use: idle time begins when it ends.
    if (!idleness.idle) this.#lastUsed = Date.now();
    return idleness.idle && this.#inFlight === 0 && this.#ready() === pipe;
  }

  /**
   * Resumes a paused sandbox and doesn't wait for it: what is sent meanwhile is there when it thaws, which is long
   * before the engine is done. Whoever wants to change its state waits.
   */
  #resumeAhead(): Pipe | undefined {
    const pipe = this.#pipe.current;
    if (!pipe || this.state !== "paused") return undefined;
    this.#machine.state = "running";
    pipe.resume();
    this.#changes
      .run(async () => {
        if (this.#pipe.current !== pipe) return;
        await whileEngineIsAway(() => this.#machine.resume(), this.#options.enginePatienceMs);
      })
      .catch((error) => this.#giveUp("A paused sandbox didn't resume", error));
    return pipe;
  }

  async #bringUp(priority: Priority): Promise<Pipe> {
    const pipe = this.#pipe.current;
    if (pipe) {
      await this.#machine.ensureRunning(priority);
      pipe.resume();
      if (this.#pipe.current === pipe) return pipe;
    }
    if (this.#distrusted) await this.#halt();
    await this.#machine.ensureRunning(priority);
    try {
      return await this.#pipe.connect();
    } catch (error) {
      if (error instanceof SandboxError && error.code === "engine_unavailable") throw error;
      this.#options.log.warn({ sandbox: this.id, error }, "A sandbox didn't answer, so it is started again");
      await this.#halt();
      await this.#machine.ensureRunning(priority);
      return await this.#pipe.connect();
    }
  }

  /** A broken pipe may mean a machine that was paused, killed or removed behind our back. */
  #revive(pipe: Pipe): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#pipe.current !== pipe) throw new SandboxError("closed", "The sandbox was stopped.");
      if (this.#inFlight === 0) {
        // Nobody waits for it: whoever stopped it may have meant it. The next use looks again.
        this.#pipe.hangUp();
        this.#machine.state = "unknown";
        throw new SandboxError("closed", "The sandbox was stopped while nobody used it.");
      }
      await this.#machine.look();
      await this.#machine.ensureRunning("user");
    });
  }

  /** It is let go. Unless that was nobody's fault in there, the machine is started afresh before its next use. */
  #giveUp(reason: string, error: unknown): void {
    this.#options.log.warn({ sandbox: this.id, error }, reason);
    const code = error instanceof SandboxError ? error.code : undefined;
    if (code !== "engine_unavailable" && code !== "session_lost") this.#distrusted = true;
    this.#pipe.hangUp();
    this.#machine.state = "unknown";
  }

  async #halt(settled?: () => Promise<void>): Promise<void> {
    this.#pipe.hangUp();
    await this.#machine.stop(settled);
    this.#distrusted = false;
  }

  /** What was deleted goes back to the host; that it doesn't is no reason not to rest. */
  async #trim(): Promise<void> {
    await this.#options.engine.workspaces
      .trim(this.id)
      .catch((error) => this.#options.log.warn({ sandbox: this.id, error }, "A disk was not trimmed"));
  }

  async #discard(settled?: () => Promise<void>): Promise<void> {
    this.#pipe.hangUp();
    await this.#machine.discard(settled);
    this.#distrusted = false;
  }
}
