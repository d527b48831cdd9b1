// The pipe to one sandbox's daemon: open or not, how it is dialled, and the two questions that the lifecycle asks through it. The
// daemon may lie, to its own user's harm alone.

import { setTimeout as sleep } from "node:timers/promises";
import type { Engine, SandboxIdentity } from "../engine/engine.ts";
import type { SandboxError } from "../errors.ts";
import type { Observer } from "../observer.ts";
import { connectPipe, type Pipe, type PipeOptions } from "../pipe/pipe.ts";
import { whileEngineIsAway } from "./while-engine-is-away.ts";

export type SandboxPipeOptions = {
  engine: Engine;
  enginePatienceMs: number;
  pipe: Pick<PipeOptions, "heartbeatMs" | "patienceMs" | "onConnection">;
  observer: Observer;
};

export type SandboxPipeEvents = {
  /** A broken pipe is about to be dialled again: whatever it takes to make that work, or an error. */
  beforeRedial: (pipe: Pipe) => Promise<void>;
  /** The pipe was given up. */
  onDown: (error: SandboxError) => void;
};

export class SandboxPipe {
  readonly #sandbox: SandboxIdentity;
  readonly #options: SandboxPipeOptions;
  readonly #events: SandboxPipeEvents;
  #pipe: Pipe | undefined;

  constructor(sandbox: SandboxIdentity, options: SandboxPipeOptions, events: SandboxPipeEvents) {
    this.#sandbox = sandbox;
    this.#options = options;
    this.#events = events;
  }

  /** The pipe that is open, if any. */
  get current(): Pipe | undefined {
    return this.#pipe;
  }

  async connect(): Promise<Pipe> {
    const { engine, enginePatienceMs, observer } = this.#options;
    let pipe: Pipe | undefined;
    const dialOnce = async () => {
      if (pipe) await this.#events.beforeRedial(pipe);
      return engine.dial(this.#sandbox);
    };
    const dial = () => whileEngineIsAway(dialOnce, enginePatienceMs);
    const onDown = (error: SandboxError) => {
      observer.count("pipe_lost");
      if (pipe && this.#pipe === pipe) this.#events.onDown(error);
    };
    pipe = await connectPipe({ ...this.#options.pipe, dial, onDown });
    observer.count("pipe_opened");
    this.#pipe = pipe;
    return pipe;
  }

  hangUp(): void {
    const pipe = this.#pipe;
    this.#pipe = undefined;
    pipe?.close();
  }
}

/**
 * Asked before a command is sent into a machine that may have died meanwhile: what was sent can't be told from
 * what was run. Whatever the answer, the pipe is open again afterwards, or down.
 */
export function answers(pipe: Pipe): Promise<boolean> {
  return pipe.request({ op: "collect", ids: [] }).then(
    () => true,
    () => false,
  );
}

export type Idleness = {
  /** Whether nothing goes on in the sandbox. */
  idle: boolean;
  /** Age of the youngest result that nobody has collected; infinite if there is none. */
  resultAgeMs: number;
};

/**
 * Undefined if no answer comes, which says nothing: a busy host is slow as well. It isn't waited for, because a pipe that
 * is reconnecting may wait for the very change of state this is asked in.
 */
export async function idlenessOf(pipe: Pick<Pipe, "info">, patienceMs = 2000): Promise<Idleness | undefined> {
  const silence = sleep(patienceMs, undefined, { ref: false });
  const info = await Promise.race([pipe.info().catch(() => undefined), silence]);
  return info && { idle: info.idle, resultAgeMs: Math.min(...info.executions.map(({ ageMs }) => ageMs)) };
}
