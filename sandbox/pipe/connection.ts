// One connection to the daemon: the greeting, frames in and out, and a heartbeat that notices silence.
import type { Duplex } from "node:stream";
import { PipeError } from "../errors.ts";
import {
  encodeCount,
  encodeMessage,
  type Frame,
  FrameDecoder,
  FrameType,
  PROTOCOL_VERSION,
} from "./frames.ts";
import { count, parseMessage, text, truth, violation } from "./messages.ts";

export type Greeting = { bootId: string; resumed: boolean; received: number };

export type ConnectionHandler = {
  onFrame: (frame: Frame) => void;
  onClosed: (error: PipeError) => void;
};

export class Connection {
  #stream: Duplex;
  #decoder = new FrameDecoder();
  #handler: ConnectionHandler | undefined;
  #greeted: ((greeting: Greeting | PipeError) => void) | undefined;
  #corked = false;
  #closed = false;
  #early: Frame[] = [];
  lastHeard = performance.now();
  pingedAt: number | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.on("error", (cause) => this.#close(broken(cause)));
    stream.on("close", () => this.#close(broken()));
    stream.on("end", () => this.#close(broken()));
  }

  /** Says who we are and waits for the daemon to do the same. */
  greet(session: string, received: number, timeoutMs: number): Promise<Greeting> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#close(silent("did not greet")), timeoutMs);
      this.#greeted = (answer) => {
        this.#greeted = undefined;
        clearTimeout(timer);
        answer instanceof PipeError ? reject(answer) : resolve(answer);
      };
      this.write(encodeMessage(FrameType.hello, 0, 0, { version: PROTOCOL_VERSION, session, received }));
    });
  }

  /** Hands over everything that arrived since the greeting, and what follows. */
  listen(handler: ConnectionHandler): void {
    this.#handler = handler;
    const early = this.#early;
    this.#early = [];
    this.#guard(() => {
      for (const frame of early) handler.onFrame(frame);
    });
  }

  /** Frames of one tick leave together. */
  write(frame: Buffer): void {
    if (this.#closed) return;
    if (!this.#corked) {
      this.#corked = true;
      this.#stream.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#stream.uncork();
      });
    }
    this.#stream.write(frame);
  }

  ping(received: number): void {
    this.pingedAt = performance.now();
    this.write(encodeCount(FrameType.ping, received));
  }

  /** Closes for good; `onClosed` hears the reason. */
  destroy(error: PipeError): void {
    this.#close(error);
  }

  #take(chunk: Buffer): void {
    this.lastHeard = performance.now();
    this.#guard(() => this.#decoder.push(chunk, (frame) => this.#dispatch(frame)));
  }

  #dispatch(frame: Frame): void {
    if (this.#closed) return;
    if (frame.type === FrameType.bye) this.#close(goodbye(frame.payload, this.#greeted !== undefined));
    else if (this.#greeted) this.#greeted(greeting(frame));
    else if (this.#handler) this.#handler.onFrame(frame);
    else if (this.#early.push(frame) > 4096) throw violation("a flood right after the greeting");
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (cause) {
      const error = cause instanceof PipeError ? cause : violation(String(cause));
      this.#close(error);
    }
  }

  #close(error: PipeError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.destroy();
    this.#greeted?.(error);
    this.#handler?.onClosed(error);
  }
}

export type HeartbeatOptions = {
  connection: Connection;
  everyMs: number;
  /** How long an answer may take. */
  patienceMs: number;
  received: () => number;
  /** True while somebody waits for the daemon: then it is asked three times as often. */
  urgent: () => boolean;
  /** True while silence is expected. */
  asleep: () => boolean;
};

/** Asks when nothing was heard for a while, and gives the connection up when no answer comes. Returns the function that ends it. */
export function startHeartbeat({ connection, everyMs, patienceMs, ...now }: HeartbeatOptions): () => void {
  const timer = setInterval(() => {
    if (now.asleep()) return;
    const time = performance.now();
    if (connection.pingedAt !== undefined) {
      if (time - connection.pingedAt > patienceMs) connection.destroy(silent("did not answer"));
    } else if (time - connection.lastHeard >= (now.urgent() ? everyMs / 3 : everyMs) - 10) {
      connection.ping(now.received());
    }
  }, everyMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}

function silent(what: string): PipeError {
  return new PipeError("unresponsive", `The sandbox's daemon ${what} in time.`);
}

function broken(cause?: unknown): PipeError {
  return new PipeError("disconnected", "The pipe to the sandbox broke.", { cause });
}

function greeting(frame: Frame): Greeting {
  if (frame.type !== FrameType.hello) throw violation("no greeting");
  const message = parseMessage(frame.payload);
  const version = count(message, "version");
  if (version !== PROTOCOL_VERSION)
    throw new PipeError(
      "version_mismatch",
      `The sandbox's daemon speaks protocol ${version}, this server ${PROTOCOL_VERSION}: rebuild the sandbox image.`,
    );
  return {
    bootId: text(message, "boot", 64),
    resumed: truth(message, "resumed"),
    received: count(message, "received"),
  };
}

function goodbye(payload: Buffer, greeting: boolean): PipeError {
  const reason = text(parseMessage(payload), "reason", 1024);
  if (reason === "replaced") return new PipeError("replaced", "Another server has taken this sandbox over.");
  if (reason === "silence") return silent("heard nothing from us");
  if (greeting) return new PipeError("version_mismatch", `The sandbox's daemon refused us: ${reason}.`);
  return new PipeError("protocol_violation", `The sandbox's daemon closed the pipe: ${reason}.`);
}
