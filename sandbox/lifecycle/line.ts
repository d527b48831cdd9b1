// The line to one sandbox's daemon: the pipe that is open to it, if any, and how it is dialled.

import type { Engine, SandboxIdentity } from "../engine/engine.ts";
import type { SandboxError } from "../errors.ts";
import type { Observer } from "../observer.ts";
import { connectPipe, type Pipe, type PipeOptions } from "../pipe/connection.ts";
import { whileEngineIsAway } from "./patience.ts";

export type LineOptions = {
  engine: Engine;
  enginePatienceMs: number;
  pipe: Pick<PipeOptions, "heartbeatMs" | "patienceMs" | "onConnection">;
  observer: Observer;
};

export type LineEvents = {
  /** A broken pipe is about to be dialled again: whatever it takes to make that work, or an error. */
  beforeRedial: (pipe: Pipe) => Promise<void>;
  /** The pipe was given up. */
  onDown: (error: SandboxError) => void;
};

export class Line {
  readonly #sandbox: SandboxIdentity;
  readonly #options: LineOptions;
  readonly #events: LineEvents;
  #pipe: Pipe | undefined;

  constructor(sandbox: SandboxIdentity, options: LineOptions, events: LineEvents) {
    this.#sandbox = sandbox;
    this.#options = options;
    this.#events = events;
  }

  get pipe(): Pipe | undefined {
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
