// Between a run's result, its row in the record, and what a caller sees of either: the same fields each way.
import type { ExecutionRow, FinishedExecution } from "#db/queries/executions.ts";
import { type AgentPart, agentPart } from "#mcp/tools/agent-view.ts";
import { type AnyExecutionView, readable, resultsView } from "#mcp/tools/execution-view.ts";
import type { Outcome } from "#mcp/tools/tool.ts";
import type { RunResult } from "#sandbox/index.ts";
import { withoutSignatures } from "../artifacts/links.ts";
import { searchableOutput } from "./searchable.ts";
import { type ToolResult, toResult } from "./tool-call.ts";

type Results = NonNullable<AnyExecutionView["results"]>;
/** What the caller got to see of a run, where its artifacts were kept. */
type Shown = Pick<AnyExecutionView, "results" | "artifacts_skipped">;

const LARGEST_INTEGER = 2 ** 31 - 1;
/** Of all pictures of a run together, as base64. */
const MOST_SHOWN_BYTES = 2 ** 20;
const NOTHING = Buffer.alloc(0);

export function endOf(result: RunResult, shown: Shown): FinishedExecution {
  const { session, restarted, deniedHosts } = result;
  const { results = resultsView(result.results ?? []), artifacts_skipped: artifactsSkipped } = shown;
  return {
    status: result.status,
    exitCode: result.exitCode === null ? null : toInteger(result.exitCode),
    stdout: result.stdout,
    stderr: result.stderr,
    truncated: result.truncated,
    durationMs: toInteger(result.durationMs),
    cpuMs: result.cpuMs === null ? null : toInteger(result.cpuMs),
    memoryBytes: result.memoryBytes === null ? null : Math.round(result.memoryBytes),
    ...(session !== undefined && { session, restarted, results: JSON.stringify(withSmallBytes(results)) }),
    ...(deniedHosts.length > 0 && { deniedHosts: JSON.stringify(deniedHosts) }),
    ...(artifactsSkipped && { artifactsSkipped }),
    words: searchableOutput(result),
  };
}

/** How a call ended in which no program ran. What an answer of the agent holds besides is kept with it. */
export function endingOf(outcome: Outcome): FinishedExecution {
  const { ending, text } = outcome;
  if (!ending) return { status: "completed", stdout: Buffer.from(text) };
  return { ...ending, result: storedResult(toResult(outcome)) };
}

/** Pictures are kept as artifacts, and found again by their ids; links are made anew. */
export function storedResult(result: ToolResult): string {
  return withoutSignatures(JSON.stringify({ ...result, images: [] }));
}

/** What an answer of the agent was, besides what every execution has. */
export function agentPartOf({ result }: ExecutionRow): AgentPart | undefined {
  if (!result) return undefined;
  return agentPart.safeParse((JSON.parse(result) as ToolResult).structured).data;
}

/** A finished run as its first answer was. */
export function viewOfRow(row: ExecutionRow & { outputMissing?: string }): AnyExecutionView {
  return {
    execution_id: row.id,
    status: row.status as AnyExecutionView["status"],
    exit_code: row.exitCode,
    stdout: readable(row.stdout ?? NOTHING),
    stderr: readable(row.stderr ?? NOTHING),
    ...(row.outputMissing && { output_missing: row.outputMissing }),
    truncated: row.truncated,
    duration_ms: row.durationMs ?? 0,
    artifacts: [],
    ...(row.deniedHosts && { denied_hosts: JSON.parse(row.deniedHosts) }),
    ...(row.artifactsSkipped && { artifacts_skipped: row.artifactsSkipped }),
    ...(row.session && {
      session: row.session,
      restarted: row.restarted ?? false,
      results: JSON.parse(row.results ?? "[]"),
    }),
  };
}

/** A run that has not begun. */
export function viewOfQueued(id: string): AnyExecutionView {
  return {
    ...{ execution_id: id, status: "queued", exit_code: null, stdout: "", stderr: "" },
    ...{ truncated: false, duration_ms: 0, artifacts: [] },
  };
}

/** What found no place as an artifact, because there was no room or no database, stays with the run while it is small. */
function withSmallBytes(results: Results): Results {
  let left = MOST_SHOWN_BYTES;
  return results.map(({ data, ...rest }) => {
    left -= data?.length ?? 0;
    return data && left >= 0 ? { ...rest, data } : rest;
  });
}

// What a sandbox says is not to be trusted, and the record's numbers have four bytes.
function toInteger(value: number): number {
  return Math.max(-LARGEST_INTEGER, Math.min(LARGEST_INTEGER, Math.round(value)));
}
