// Runs a cell. The run belongs to the sandbox, not to the page: it goes on when nobody looks any more.
import { v7 } from "uuid";
import { pointCellAtRun } from "#db/queries/consoles.ts";
import { env } from "#env.ts";
import type { OutputChunk } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { runTool } from "../executions/run-tool.ts";
import { noSuchConsole } from "./consoles.ts";

export interface CellRun {
  userId: string;
  consoleId: string;
  cellId: string;
  kind: "python" | "bash";
  code: string;
  session: string;
  /** Called before anything runs: under this id the run is found again. */
  onStart(executionId: string): void;
  onOutput(chunk: OutputChunk): void;
}

export async function runCell(run: CellRun): Promise<Record<string, unknown>> {
  const { userId, consoleId, cellId, kind, code, session, onStart, onOutput } = run;
  const executionId = v7();
  if (!(await pointCellAtRun(db(), userId, { consoleId, cellId, executionId }))) throw noSuchConsole();
  onStart(executionId);
  // Who types code watches it, and can stop it: it may take as long as anything may.
  const timeout = env().COVE_TIMEOUT_MAX;
  const { structured } = await runTool({
    userId,
    door: "console",
    executionId,
    ...(kind === "bash"
      ? { name: "execute_bash", arguments: { command: code, timeout } }
      : { name: "execute_python", arguments: { code, session, timeout } }),
    onOutput,
  });
  return structured;
}
