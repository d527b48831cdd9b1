// One run with all that is known about it, as its owner may see it. What came out of the sandbox is still untrusted.
import { z } from "zod";
import { listExecutionArtifacts } from "#db/queries/artifacts.ts";
import { findRun } from "#db/queries/history.ts";
import { readable } from "#mcp/tools/execution-view.ts";
import { AppError } from "../app-error.ts";
import { toItem } from "../artifacts/list-artifacts.ts";
import { db } from "../database.ts";
import { withOutput } from "../executions/stored-output.ts";
import { readJsonText } from "../read-json-text.ts";
import { canRunAgain } from "./run-again.ts";

export type RunDetail = Awaited<ReturnType<typeof readRun>>;

const denials = z.array(z.object({ host: z.string(), port: z.number(), message: z.string() }));
const results = z.array(
  z.object({
    mime: z.string(),
    text: z.string().optional(),
    data: z.string().optional(),
    artifact_id: z.string().optional(),
  }),
);

export async function readRun(userId: string, id: string) {
  const found = await findRun(db(), userId, id);
  if (!found) throw new AppError("not_found", "There is no such run.");
  const run = await withOutput(found);
  const artifacts = await listExecutionArtifacts(db(), userId, id);
  return {
    ...run,
    arguments: readJsonText(z.record(z.string(), z.unknown()), run.arguments, {}),
    stdout: readable(run.stdout ?? Buffer.alloc(0)),
    stderr: readable(run.stderr ?? Buffer.alloc(0)),
    results: readJsonText(results, run.results, []),
    deniedHosts: readJsonText(denials, run.deniedHosts, []),
    artifacts: artifacts.map(toItem),
    repeatable: canRunAgain(run),
  };
}
