// An execution as every door shows it: the fields of the contract, and a text a model can read.
import { z } from "zod";
import type { PythonResult, RichResult, RunResult } from "#sandbox/index.ts";

export const STATUSES = [
  "queued",
  "running",
  "completed",
  "failed",
  "timeout",
  "oom",
  "cancelled",
  "interrupted",
] as const;

export const executionView = z.object({
  execution_id: z.string(),
  status: z.enum(STATUSES),
  exit_code: z.number().nullable(),
  stdout: z.string(),
  stderr: z.string(),
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
export const pythonView = executionView.extend({
  session: z.string(),
  restarted: z.boolean().describe("The session was lost since its last use: variables and imports are gone."),
  results: z.array(
    z.object({
      mime: z.string(),
      text: z.string().optional(),
      artifact_id: z
        .string()
        .optional()
        .describe("Pictures and large tables: the artifact with the contents."),
      data: z.string().optional().describe("Base64, for a picture that could not be kept as an artifact."),
    }),
  ),
});

export type PythonView = z.infer<typeof pythonView>;

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
  const { session, restarted, results } = result;
  return { ...viewOf(result), session, restarted, results: resultsView(results) };
}

export function resultsView(results: RichResult[]): PythonView["results"] {
  return results.map(({ mime, text, data }) =>
    data ? { mime, data: data.toString("base64") } : { mime, text },
  );
}

export function describeExecution(view: ExecutionView): string {
  const parts = [
    view.stdout.trimEnd(),
    view.stderr.trimEnd() && `stderr:\n${view.stderr.trimEnd()}`,
    ending(view),
  ];
  return parts.filter(Boolean).join("\n\n");
}

/** Bytes that aren't UTF-8 are replaced here and kept in the record. */
export function readable(bytes: Buffer): string {
  return bytes.toString("utf8");
}

function ending({ status, exit_code, execution_id, truncated, stdout, stderr }: ExecutionView): string {
  const cut = truncated ? " The output was cut in the middle." : "";
  switch (status) {
    case "completed":
      return stdout || stderr ? cut.trim() : `Done, no output.${cut}`;
    case "failed":
      return `Exit code ${exit_code}.${cut}`;
    case "queued":
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
