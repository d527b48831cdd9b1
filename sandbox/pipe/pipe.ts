// The pipe to one sandbox: dials, greets, keeps the session alive over breaks, and says when it can't.
import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { PipeError, SandboxError } from "../errors.ts";
import type { SandboxInfo } from "../types.ts";
import { ask } from "./ask.ts";
import { Connection, startHeartbeat } from "./connection.ts";
import { asNamedError, asPipeError, forgotten, isFinal, restarted, usedUp } from "./failures.ts";
import { type Frame, FrameType, isSequenced } from "./frames.ts";
import { count, type Message, truth, violation } from "./messages.ts";
import { parseInfo } from "./parse-info.ts";
import { PipeSession } from "./pipe-session.ts";
import type { PipeStream, StreamHandler } from "./pipe-stream.ts";

// Dense at first: a machine that was just started listens a moment later.
const RETRY_DELAYS = [0, 10, 20, 40, 80, 160, 320, 640, 1280, 2500];
const GREETING_MS = 5000;
const STABLE_MS = 10_000;

export type PipeOptions = {
  /** Opens one fresh byte stream to the daemon's socket. */
  dial: (signal: AbortSignal) => Promise<Duplex>;
  /** Reconnecting was given up, or makes no sense; calls in flight have failed. */
  onDown?: (error: SandboxError) => void;
  /** Code in the sandbox opened a connection to the outside. Without this each is closed at once. */
  onConnection?: (stream: Duplex) => void;
  heartbeatMs?: number;
  /** How long an answer to a heartbeat may take. */
  patienceMs?: number;
  lastStream?: number;
  retryDelaysMs?: readonly number[];
};

/** Wakes the sandbox if need be, counts the call as in flight and hands over the pipe. */
export type UsePipe = <T>(work: (pipe: Pipe) => Promise<T>) => Promise<T>;

export type PipeState = "connected" | "reconnecting" | "down" | "closed";

export async function connectPipe(options: PipeOptions): Promise<Pipe> {
  const pipe = new Pipe(options);
  await pipe.connect();
  return pipe;
}

export class Pipe {
  bootId = "";
  #options: PipeOptions;
  #name = randomBytes(16).toString("hex");
  #session: PipeSession;
  #connection: Connection | undefined;
  #state: PipeState = "reconnecting";
  #error: SandboxError | undefined;
  #abort = new AbortController();
  #attempts = 0;
  #connectedAt = 0;
  #suspended = false;
  #stopHeartbeat: (() => void) | undefined;

  constructor(options: PipeOptions) {
    this.#options = options;
    const { onConnection, lastStream } = options;
    this.#session = new PipeSession({ lastStream, onConnection, onStuck: (error) => this.fail(error) });
  }

  get state(): PipeState {
    return this.#state;
  }

  /** Starts a call. While the pipe is being re-opened it waits; when it is down this throws. */
  open(request: object, handler: StreamHandler): PipeStream {
    if (this.#session.usedUp) this.#goDown(usedUp());
    if (this.#error) throw this.#error;
    return this.#session.start(request, handler);
  }

  /** A call with one answer. */
  request(request: object, options: { path?: string; signal?: AbortSignal } = {}): Promise<Message> {
    return ask(this, request, options);
  }

  async info(): Promise<SandboxInfo> {
    return this.read(await this.request({ op: "info" }), parseInfo);
  }

  /** What the workspace holds, found by walking it: for engines that keep no quota. `complete` is false past the cap. */
  async diskUsage(maxEntries = 200_000): Promise<{ bytes: number; entries: number; complete: boolean }> {
    return this.read(
      await this.request({ op: "usage", path: "/workspace", most: maxEntries }),
      (message) => ({
        bytes: count(message, "bytes"),
        entries: count(message, "entries"),
        complete: truth(message, "complete"),
      }),
    );
  }

  /** Ends everything in the sandbox but the daemon, our relay included; the pipe comes back by itself. */
  async killAll(): Promise<void> {
    await this.request({ op: "kill_all" });
  }

  /** Before the machine is frozen: silence is expected until `resume`. */
  suspend(): void {
    this.#suspended = true;
  }

  resume(): void {
    this.#suspended = false;
    if (!this.#connection) return;
    this.#connection.lastHeard = performance.now();
    this.#connection.pingedAt = undefined;
  }

  close(): void {
    if (this.#state === "closed") return;
    const error = new SandboxError("closed", "The pipe to the sandbox was closed.");
    this.#state = "closed";
    this.#stop(error);
  }

  /** Reads a reply; what doesn't read well takes the pipe down. */
  read<T>(message: Message, parse: (message: Message) => T): T {
    try {
      return parse(message);
    } catch (error) {
      if (error instanceof PipeError) this.fail(error);
      throw error;
    }
  }

  /** The daemon can't be believed any more. */
  fail(error: PipeError): void {
    this.#goDown(error);
  }

  /** Tries until it works or the delays are used up. */
  async connect(): Promise<void> {
    const delays = this.#options.retryDelaysMs ?? RETRY_DELAYS;
    for (;;) {
      const delay = delays[this.#attempts++];
      try {
        if (delay) await sleep(delay, undefined, { signal: this.#abort.signal });
        await this.#connectOnce();
        return;
      } catch (cause) {
        if (this.#error) throw this.#error;
        const error = asNamedError(cause);
        if (isFinal(error) || this.#attempts >= delays.length) {
          this.#goDown(error);
          throw error;
        }
      }
    }
  }

  async #connectOnce(): Promise<void> {
    const stream = await this.#options.dial(this.#abort.signal);
    const connection = new Connection(stream);
    if (this.#error) return connection.destroy(asPipeError(this.#error));
    const greeting = await connection.greet(this.#name, this.#session.received, GREETING_MS);
    if (this.#error) return connection.destroy(asPipeError(this.#error));
    const rebooted = this.bootId !== "" && this.bootId !== greeting.bootId;
    const resumable = greeting.resumed && !rebooted && this.#session.canResume(greeting.received);
    if (greeting.resumed && !resumable) throw violation("resumed a session we don't have");
    this.#connection = connection;
    this.bootId = greeting.bootId;
    this.#state = "connected";
    this.#connectedAt = performance.now();
    const write = (frame: Buffer) => connection.write(frame);
    if (resumable) this.#session.resume(greeting.received, write);
    else this.#session.restart(write, rebooted ? restarted() : forgotten());
    connection.listen({
      onFrame: (frame) => this.#receive(connection, frame),
      onClosed: (error) => this.#lost(connection, error),
    });
    this.#stopHeartbeat = startHeartbeat({
      connection,
      everyMs: this.#options.heartbeatMs ?? 15_000,
      patienceMs: this.#options.patienceMs ?? 10_000,
      received: () => this.#session.received,
      // A call in flight wants to know soon that nobody is there any more.
      urgent: () => this.#session.open > 0,
      asleep: () => this.#suspended,
    });
  }

  #receive(connection: Connection, frame: Frame): void {
    if (isSequenced(frame.type)) {
      this.#session.receive(frame);
    } else if (frame.type === FrameType.ack) {
      this.#session.acknowledge(frame.payload, true);
    } else if (frame.type === FrameType.pong && connection.pingedAt !== undefined) {
      connection.pingedAt = undefined;
      this.#session.acknowledge(frame.payload, false);
    } else {
      throw violation(`an unasked frame of type ${frame.type}`);
    }
  }

  #lost(connection: Connection, error: PipeError): void {
    if (this.#connection !== connection || this.#error) return;
    this.#connection = undefined;
    this.#stopHeartbeat?.();
    this.#session.pause();
    if (isFinal(error)) {
      this.#goDown(error);
      return;
    }
    this.#state = "reconnecting";
    // Code inside may kill the relay again and again: only a connection that lasted earns a fresh start.
    if (performance.now() - this.#connectedAt > STABLE_MS) this.#attempts = 0;
    // `connect` has told `onDown` and every call by the time it rejects.
    this.connect().catch(() => undefined);
  }

  #goDown(error: SandboxError): void {
    if (this.#error) return;
    this.#state = "down";
    this.#stop(error);
    this.#options.onDown?.(error);
  }

  #stop(error: SandboxError): void {
    this.#error = error;
    this.#abort.abort();
    this.#stopHeartbeat?.();
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.destroy(asPipeError(error));
    this.#session.fail(error);
  }
}
