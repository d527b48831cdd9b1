import { v7 } from "uuid";
import { z } from "zod";
import { findRun } from "#db/queries/history.ts";
import { findAnyTool, toolsetOf } from "#mcp/tools/catalogue.ts";
import { agentForTools } from "../agent/agent-for-tools.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { runTool } from "../executions/run-tool.ts";
import { readJsonText } from "../read-json-text.ts";

/** How long the caller waits for it; a longer run goes on by itself. */
const WAIT_MS = 1_000;

/** What people do to their files by hand is on record, too, but its contents are not; and large code may be removed. */
export function canRunAgain({ tool, arguments: given }: { tool: string; arguments: string }): boolean {
  return given !== "" && findAnyTool(tool)?.recorded === true;
}

/** The same call once more, as a run of its own. Resolves to its id. */
export async function runAgain(userId: string, id: string): Promise<string> {
  const run = await findRun(db(), userId, id);
  if (!run) throw new AppError("not_found", "There is no such run.");
  if (run.arguments === "") {
    throw new AppError("conflict", "Its code made room for newer runs, so it can't be run again.");
  }
  if (!canRunAgain(run)) {
    throw new AppError("bad_request", "A change that was made by hand can't be made again from here.");
  }
  const executionId = v7();
  const toolset = toolsetOf(run.tool);
  await runTool({
    userId,
    door: "web",
    agent: agentForTools,
    name: run.tool,
    ...(toolset && { toolset }),
    arguments: readJsonText(z.record(z.string(), z.unknown()), run.arguments, {}),
    executionId,
    waitMs: WAIT_MS,
  });
  return executionId;
}
