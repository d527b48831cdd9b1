// A cell's run as the page knows it: grown by events, bounded, whatever the code prints.
import type { RichResult } from "#app/_results/rich-results.tsx";
import type { ServerEvent } from "./read-events.ts";

type RunStatus =
  | "waiting"
  | "running"
  | "completed"
  | "failed"
  | "timeout"
  | "oom"
  | "cancelled"
  | "interrupted"
  /** It could not be started, or was lost sight of: `problem` says why. */
  | "unknown";

export interface Run {
  executionId?: string;
  status: RunStatus;
  stdout: string;
  stderr: string;
  results: RichResult[];
  truncated: boolean;
  exitCode?: number | null;
  durationMs?: number;
  /** When this page started it. */
  startedAt?: number;
  /** The session's earlier variables are gone. */
  restarted: boolean;
  deniedHosts: { host: string; message: string }[];
  /** What it made and nobody kept. */
  skipped?: string;
  /** Why its output is no longer there. */
  missing?: string;
  /** What to do about the exception. */
  hint?: string;
  problem?: string;
  stopping?: boolean;
  /** What stands there until this run has something to show: nothing flickers. */
  previous?: Run | undefined;
}

const LONGEST = 600_000;

export const begun: Run = {
  status: "waiting",
  stdout: "",
  stderr: "",
  results: [],
  truncated: false,
  restarted: false,
  deniedHosts: [],
};

export function isLive({ status }: Run): boolean {
  return status === "waiting" || status === "running";
}

/** The run after an event. What the server says of a finished run is the whole truth and replaces what came before. */
export function afterEvent(run: Run, { name, data }: ServerEvent): Run {
  const told = data as Record<string, unknown>;
  switch (name) {
    case "started":
      return { ...run, status: "running", executionId: String(told.execution_id) };
    case "stdout":
    case "stderr":
      return { ...run, status: "running", [name]: grown(run[name], String(told.text)), previous: undefined };
    case "result":
      return { ...run, ...finished(told) };
    case "error":
      return { ...run, status: "unknown", problem: sentenceOf(told) };
    default:
      return run;
  }
}

function finished(told: Record<string, unknown>): Run {
  return {
    executionId: String(told.execution_id),
    status: told.status as RunStatus,
    stdout: String(told.stdout ?? ""),
    stderr: String(told.stderr ?? ""),
    results: Array.isArray(told.results) ? told.results : [],
    truncated: told.truncated === true,
    exitCode: typeof told.exit_code === "number" ? told.exit_code : null,
    durationMs: Number(told.duration_ms ?? 0),
    restarted: told.restarted === true,
    deniedHosts: Array.isArray(told.denied_hosts) ? told.denied_hosts : [],
    ...(typeof told.artifacts_skipped === "string" && { skipped: told.artifacts_skipped }),
    ...(typeof told.output_missing === "string" && { missing: told.output_missing }),
    ...(typeof told.hint === "string" && { hint: told.hint }),
    stopping: false,
    previous: undefined,
  };
}

function grown(text: string, more: string): string {
  const whole = text + more;
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST / 2)}\n…\n${whole.slice(-LONGEST / 4)}`;
}

function sentenceOf(told: Record<string, unknown>): string {
  const { message } = (told.error ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : "Something went wrong.";
}
