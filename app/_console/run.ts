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

export const NEW_RUN: Run = {
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
  const details = data as Record<string, unknown>;
  switch (name) {
    case "started":
      return { ...run, status: "running", executionId: String(details.execution_id) };
    case "stdout":
    case "stderr":
      return {
        ...run,
        status: "running",
        [name]: grown(run[name], String(details.text)),
        previous: undefined,
      };
    case "result":
      return { ...run, ...finished(details) };
    case "error":
      return { ...run, status: "unknown", problem: sentenceOf(details) };
    default:
      return run;
  }
}

function finished(details: Record<string, unknown>): Run {
  return {
    executionId: String(details.execution_id),
    status: details.status as RunStatus,
    stdout: String(details.stdout ?? ""),
    stderr: String(details.stderr ?? ""),
    results: Array.isArray(details.results) ? details.results : [],
    truncated: details.truncated === true,
    exitCode: typeof details.exit_code === "number" ? details.exit_code : null,
    durationMs: Number(details.duration_ms ?? 0),
    restarted: details.restarted === true,
    deniedHosts: Array.isArray(details.denied_hosts) ? details.denied_hosts : [],
    ...(typeof details.artifacts_skipped === "string" && { skipped: details.artifacts_skipped }),
    ...(typeof details.output_missing === "string" && { missing: details.output_missing }),
    ...(typeof details.hint === "string" && { hint: details.hint }),
    stopping: false,
    previous: undefined,
  };
}

function grown(text: string, more: string): string {
  const whole = text + more;
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST / 2)}\n…\n${whole.slice(-LONGEST / 4)}`;
}

function sentenceOf(details: Record<string, unknown>): string {
  const { message } = (details.error ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : "Something went wrong.";
}
