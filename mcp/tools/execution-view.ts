// An execution as every door shows it: the fields of the contract, and a text a model can read.
import { z } from "zod";
import type { PythonResult, RichResult, RunResult } from "#sandbox/index.ts";

const STATUSES = [
  "queued",
  "running",
  "completed",
  "failed",
  "timeout",
  "oom",
  "cancelled",
  "interrupted",
] as const;

// A program that goes through a list of addresses is told about the first few.
const MOST_DENIALS_TOLD = 5;

export const executionView = z.object({
  execution_id: z.string(),
  status: z.enum(STATUSES),
  exit_code: z.number().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  output_missing: z.string().optional().describe("Why the output is no longer there, if it isn't."),
  truncated: z.boolean().describe("Output was cut in the middle; write large output to a file instead."),
  duration_ms: z.number(),
  artifacts: z.array(
    z.object({ id: z.string(), path: z.string(), mime: z.string(), size: z.number(), url: z.string() }),
  ),
  artifacts_skipped: z.string().optional().describe("Which files were not kept as artifacts, and why."),
  denied_hosts: z
    .array(z.object({ host: z.string(), port: z.number(), reason: z.string(), message: z.string() }))
    .optional()
    .describe("What the network policy refused meanwhile, and what to do instead."),
});

export type ExecutionView = z.infer<typeof executionView>;

/** What a cell of Python adds. Pictures are artifacts; one that could not be kept as one is in `data`. */
const python = z.object({
  session: z.string(),
  restarted: z.boolean().describe("The session was lost since its last use: variables and imports are gone."),
  hint: z.string().optional().describe("What to do about the exception, where that is known."),
  results: z.array(
    z.object({
      mime: z.string(),
      text: z.string().optional(),
      artifact_id: z
        .string()
        .optional()
        .describe("Pictures and HTML: the artifact with the contents. Large HTML is only there."),
      data: z.string().optional().describe("Base64, for a picture that could not be kept as an artifact."),
    }),
  ),
});

export const pythonView = executionView.extend(python.shape);
/** Any run: a command, or a cell. */
export const anyExecutionView = executionView.extend(python.partial().shape);

export type PythonView = z.infer<typeof pythonView>;
export type AnyExecutionView = z.infer<typeof anyExecutionView>;

export function viewOf(result: RunResult): ExecutionView {
  return {
    execution_id: result.executionId,
    status: result.status,
    exit_code: result.exitCode,
    stdout: readable(result.stdout),
    stderr: readable(result.stderr),
    truncated: result.truncated,
    duration_ms: Math.round(result.durationMs),
    artifacts: [],
    ...(result.deniedHosts.length > 0 && { denied_hosts: result.deniedHosts }),
  };
}

export function pythonViewOf(result: PythonResult): PythonView {
  const { session, restarted, results, hint } = result;
  return { ...viewOf(result), session, restarted, results: resultsView(results), ...(hint && { hint }) };
}

/** A run that may have been a cell, which shows when it is followed. */
export function anyViewOf(result: RunResult): AnyExecutionView {
  const { session, restarted = false, results = [] } = result;
  return session === undefined ? viewOf(result) : pythonViewOf({ ...result, session, restarted, results });
}

export function resultsView(results: RichResult[]): PythonView["results"] {
  return results.map(({ mime, text, data }) =>
    data ? { mime, data: data.toString("base64") } : { mime, text },
  );
}

/** `shown` stands for the results where there are better words for them than the results themselves. */
export function describeExecution(
  view: AnyExecutionView,
  shown = view.results?.map(({ mime, text }) => text ?? `[${mime}]`) ?? [],
): string {
  const parts = [
    view.output_missing,
    view.restarted && "The session was restarted: variables of earlier calls are gone.",
    view.stdout.trimEnd(),
    view.stderr.trimEnd() && `stderr:\n${view.stderr.trimEnd()}`,
    ending(view, shown.length > 0),
    ...shown,
    view.hint && `Hint: ${view.hint}`,
    describeDenials(view),
  ];
  return parts.filter(Boolean).join("\n\n");
}

/** What the network policy refused, in its own words: a program that is silent about it leaves a model guessing. */
export function describeDenials({ denied_hosts = [] }: Pick<ExecutionView, "denied_hosts">): string {
  const messages = [...new Set(denied_hosts.map(({ message }) => message))];
  const left = messages.length - MOST_DENIALS_TOLD;
  const more = left > 0 ? [`And ${left} more; denied_hosts has all of them.`] : [];
  return [...messages.slice(0, MOST_DENIALS_TOLD), ...more].join("\n");
}

/** Bytes that aren't UTF-8 are replaced here and kept in the record. */
export function readable(bytes: Buffer): string {
  return bytes.toString("utf8");
}

function ending(view: ExecutionView, showed: boolean): string {
  const { status, exit_code, execution_id, truncated, stdout, stderr } = view;
  const cut = truncated ? " The output was cut in the middle." : "";
  switch (status) {
    case "completed":
      return stdout || stderr || showed || view.output_missing ? cut.trim() : `Done, no output.${cut}`;
    case "failed":
      return `Exit code ${exit_code}.${cut}`;
    case "queued":
      return `Waiting in line. Use check_execution with execution_id "${execution_id}" to wait for it.`;
    case "running":
      return `Still running. Use check_execution with execution_id "${execution_id}" to wait for it.${cut}`;
    case "timeout":
      return `Stopped at its time limit. Give it a longer timeout, or run it in the background.${cut}`;
    case "oom":
      return `Stopped because memory ran out. Work on smaller pieces.${cut}`;
    case "cancelled":
      return `Stopped on request.${cut}`;
    case "interrupted":
      return `Ended when the sandbox or the server was restarted. Files are kept; run it again.${cut}`;
  }
}
