// A tool of the catalogue, called by name.
import { findTool } from "#mcp/tools/catalogue.ts";
import type { Tool } from "#mcp/tools/tool.ts";
import { AppError } from "../app-error.ts";
import { runCall } from "./run-call.ts";
import type { ToolCall, ToolResult } from "./tool-call.ts";

export type { Door, ToolCall, ToolResult } from "./tool-call.ts";

export function runTool(call: ToolCall): Promise<ToolResult> {
  return runCall(call, () => {
    const tool = findTool(call.name, call.toolset);
    if (!tool) throw new AppError("not_found", `There is no tool "${call.name}". GET /tools lists them.`);
    return { work: tool, input: parseInput(tool, call.arguments) };
  });
}

function parseInput(tool: Tool, given: unknown): unknown {
  const parsed = tool.input.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join(".");
  throw new AppError("bad_request", `${tool.name}: ${[where, issue?.message].filter(Boolean).join(" ")}.`, {
    ...(where && { field: where }),
  });
}
