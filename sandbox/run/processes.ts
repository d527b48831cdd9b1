// What runs in a sandbox besides Cove's own, as its daemon tells it: for people to look at, never to be relied on.

import { count, countOrNull, list, type Message, object, text, truth } from "../pipe/messages.ts";
import type { Pipe } from "../pipe/pipe.ts";

export type SandboxProcess = {
  pid: number;
  /** When it was started, in the kernel's own measure: with the pid it names one process and never another. */
  started: number;
  name: string;
  /** Its command line, cut to size. */
  command: string;
  ageMs: number;
  cpuMs: number;
  memoryBytes: number | null;
  /** What it belongs to, as far as that is known. */
  executionId?: string;
  session?: string;
};

export type ProcessList = {
  total: number;
  /** The busiest ones. */
  processes: SandboxProcess[];
};

export type ProcessSignal = "TERM" | "KILL";

export async function listProcesses(pipe: Pipe): Promise<ProcessList> {
  return pipe.read(await pipe.request({ op: "processes" }), (message) => ({
    total: count(message, "total"),
    processes: list(message, "processes", 64).map(process),
  }));
}

/** Resolves to whether it was there. */
export async function signalProcess(
  pipe: Pipe,
  { pid, started }: Pick<SandboxProcess, "pid" | "started">,
  signal: ProcessSignal,
): Promise<boolean> {
  return pipe.read(await pipe.request({ op: "signal", pid, started, signal }), (message) =>
    truth(message, "found"),
  );
}

function process(value: unknown): SandboxProcess {
  const message = object(value, "process");
  return {
    pid: count(message, "pid"),
    started: count(message, "started"),
    name: text(message, "name", 256),
    command: text(message, "command", 1024),
    ageMs: count(message, "age_ms"),
    cpuMs: count(message, "cpu_ms"),
    memoryBytes: countOrNull(message, "memory"),
    ...optional(message, "execution", "executionId"),
    ...optional(message, "session", "session"),
  };
}

function optional<K extends string>(message: Message, key: string, name: K): { [key in K]?: string } {
  return message[key] === undefined ? {} : ({ [name]: text(message, key, 256) } as { [key in K]?: string });
}
