// What came of a tool call, read out of an output that nobody vouches for.
import type { DynamicToolUIPart } from "ai";
import type { RichResult } from "#app/_results/rich-results.tsx";

export interface ToolOutcome {
  /** Still being written by the model, still running, or how it ended. */
  status: string;
  exitCode?: number;
  durationMs?: number;
  stdout: string;
  stderr: string;
  truncated: boolean;
  results: RichResult[];
  artifacts: { id: string; path: string }[];
  /** What was not kept as an artifact, and why: a sentence, or nothing. */
  skipped: string;
  denied: string[];
  /** The answer of a tool that doesn't run anything. */
  text: string;
  live: boolean;
}

/** `ended`: the turn is over, so nothing in it can still be running. */
export function toolOutcome(part: DynamicToolUIPart, ended: boolean): ToolOutcome {
  const output = part.state === "output-available" && isObject(part.output) ? part.output : {};
  const unfinished =
    part.state === "input-streaming" ||
    part.state === "input-available" ||
    (part.state === "output-available" && part.preliminary);
  const live = Boolean(unfinished) && !ended;
  return {
    status: statusOf(part, output, { live, unfinished: Boolean(unfinished) }),
    exitCode: number(output.exit_code),
    durationMs: live ? undefined : number(output.duration_ms),
    stdout: text(output.stdout),
    stderr: text(output.stderr) || (part.state === "output-error" ? part.errorText : ""),
    truncated: output.truncated === true,
    results: objects(output.results).filter(
      (result): result is Record<string, unknown> & RichResult => typeof result.mime === "string",
    ),
    artifacts: objects(output.artifacts).flatMap(({ id, path }) =>
      text(id) && text(path) ? [{ id: text(id), path: text(path) }] : [],
    ),
    skipped: text(output.artifacts_skipped),
    denied: objects(output.denied_hosts).map(
      ({ host, message }) => text(message) || `${text(host)} was refused.`,
    ),
    text: "execution_id" in output || "stdout" in output ? "" : answerOf(part, output),
    live,
  };
}

function statusOf(
  part: DynamicToolUIPart,
  output: Record<string, unknown>,
  { live, unfinished }: { live: boolean; unfinished: boolean },
): string {
  if (live) return part.state === "input-streaming" ? "writing" : "running";
  if (part.state === "output-error") return "failed";
  if (unfinished) return "cancelled";
  return text(output.status) || "completed";
}

/** A file's contents as they are, anything else as data. */
function answerOf(part: DynamicToolUIPart, output: Record<string, unknown>): string {
  if (part.state !== "output-available") return "";
  if (typeof part.output === "string") return part.output;
  for (const key of ["content", "body", "docstring", "text"]) {
    if (typeof output[key] === "string") return output[key];
  }
  return JSON.stringify(output, null, 2);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
