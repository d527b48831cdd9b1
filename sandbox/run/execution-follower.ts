// Follows one execution to its end, over broken pipes: output as it comes, then the result.

import { PipeError, SandboxError } from "../errors.ts";
import { count, list, type Message, object, violation } from "../pipe/messages.ts";
import type { Pipe } from "../pipe/pipe.ts";
import type { PipeStream } from "../pipe/pipe-stream.ts";
import { readRefusal } from "../pipe/read-refusal.ts";
import type { DeniedHost, OutputChunk, PythonOutcome, RunResult, SandboxLimits } from "../types.ts";
import { CollectedOutput } from "./collected-output.ts";
import { OutputDeliveries } from "./output-deliveries.ts";
import { readResults } from "./rich-results.ts";
import { blankResult, readPythonOutcome, readRunResult } from "./run-result.ts";

/** The channel of a cell's rich results. */
const RESULTS = 3;

export type FollowerOptions = {
  pipe: Pipe;
  executionId: string;
  request: object;
  limits: Pick<SandboxLimits, "outputHead" | "outputTail" | "resultBytes">;
  /** The session whose cell it is, as far as that is known before its result. */
  session?: string;
  onOutput?: ((chunk: OutputChunk) => void | Promise<void>) | undefined;
  /** What was denied since the execution began. */
  denied?: () => DeniedHost[];
};

export class ExecutionFollower {
  /** The end of the execution. Rejects only if it never began. */
  readonly ended: Promise<RunResult>;
  /** Resolves once the daemon says that the command runs (only if the request asked for it), or with the end. */
  readonly started: Promise<void>;
  stream: PipeStream;
  #options: FollowerOptions;
  #outputs: [CollectedOutput, CollectedOutput];
  #results: CollectedOutput;
  #python: Omit<PythonOutcome, "results"> | undefined;
  #startedAt = performance.now();
  #deliveries: OutputDeliveries | undefined;
  #askedAgain = false;
  #resolve!: (result: RunResult) => void;
  #reject!: (error: unknown) => void;
  #begun!: () => void;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const limit = options.limits.outputHead + options.limits.outputTail;
    this.#outputs = [new CollectedOutput(limit), new CollectedOutput(limit)];
    this.#results = new CollectedOutput(options.limits.resultBytes);
    const { onOutput: listener } = options;
    // Credit goes back when the listener is done, so a slow one slows only this execution's output.
    const onDone = (channel: number, bytes: number) => this.stream.consumed(channel, bytes);
    if (listener) this.#deliveries = new OutputDeliveries({ listener, onDone });
    if (options.session !== undefined) this.#python = { session: options.session, restarted: false };
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.started = new Promise((resolve) => {
      this.#begun = resolve;
    });
    this.stream = this.#open(options.request);
  }

  /** What is known now, for whoever can't wait any longer. */
  soFar(): RunResult {
    return this.#result({ status: "running" });
  }

  #open(request: object): PipeStream {
    return this.#options.pipe.open(request, {
      onReply: (message, final) => this.#guard(() => this.#reply(message, final)),
      onData: (channel, data) => this.#data(channel, data),
      onLost: (error) => this.#lost(error),
    });
  }

  #reply(message: Message, final: boolean): void {
    const error = readRefusal(message);
    if (error) {
      this.#refused(error);
      return;
    }
    this.#begun();
    if (!final) {
      if (this.#python && message.restarted === true) this.#python.restarted = true;
      if (message.gap === undefined) return;
      const gap = object(message.gap, "gap");
      this.#output(count(gap, "channel")).skip(count(gap, "bytes"));
      return;
    }
    if (message.session !== undefined) this.#python = readPythonOutcome(message);
    const [stdout, stderr] = list(message, "totals", 3).map((total) => count({ total }, "total"));
    this.#outputs[0].close(stdout ?? 0);
    this.#outputs[1].close(stderr ?? 0);
    this.#finish(readRunResult(message));
  }

  #data(channel: number, data: Buffer): void {
    if (!this.#output(channel).add(data)) throw violation("more output than was asked for");
    if (this.#deliveries && channel !== RESULTS) this.#deliveries.add(channel, data);
    else this.stream.consumed(channel, data.length);
  }

  /** The pipe could not carry on. The execution may still run: ask for the rest of it. */
  #lost(error: SandboxError): void {
    if (error.code === "session_lost") {
      const [stdout, stderr] = this.#outputs;
      const request = {
        op: "attach",
        id: this.#options.executionId,
        stdout: stdout.offset,
        stderr: stderr.offset,
        results: this.#results.offset,
      };
      try {
        this.#askedAgain = true;
        this.stream = this.#open(request);
        return;
      } catch (failure) {
        if (!(failure instanceof SandboxError)) throw failure;
      }
    }
    this.#finish({ status: "interrupted" });
  }

  #refused(error: SandboxError): void {
    // Asked for again after a break and not known any more: it ended, and nobody can tell how.
    if (this.#askedAgain) this.#finish({ status: "interrupted" });
    else this.#reject(error);
    this.#begun();
  }

  #finish(details: Partial<RunResult>): void {
    this.#begun();
    this.#conclude(details).catch(this.#reject);
  }

  /** Every piece of output is delivered before the result. */
  async #conclude(details: Partial<RunResult>): Promise<void> {
    await this.#deliveries?.settled();
    const failure = this.#deliveries?.failure;
    if (failure) this.#reject(failure.cause);
    else this.#resolve(this.#result(details));
  }

  #result(details: Partial<RunResult>): RunResult {
    const [stdout, stderr] = this.#outputs;
    return {
      ...blankResult(this.#options.executionId, "interrupted"),
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      truncated: stdout.omitted + stderr.omitted > 0,
      omitted: { stdout: stdout.omitted, stderr: stderr.omitted },
      durationMs: performance.now() - this.#startedAt,
      deniedHosts: this.#options.denied?.() ?? [],
      ...(this.#python && { ...this.#python, results: readResults(this.#results.bytes()) }),
      ...details,
    };
  }

  #output(channel: number): CollectedOutput {
    const output = channel === RESULTS ? this.#results : this.#outputs[channel - 1];
    if (!output) throw violation("output on a channel that doesn't exist");
    return output;
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#finish({ status: "interrupted" });
      throw error instanceof PipeError ? error : violation(String(error));
    }
  }
}
