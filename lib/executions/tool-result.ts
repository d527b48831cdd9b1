import type { Outcome } from "#mcp/tools/tool.ts";
import type { ToolResult } from "./tool-call.ts";

export function toResult({ structured, text, images = [], links }: Outcome): ToolResult {
  const status = structured.status;
  const fine = status === undefined || status === "completed" || status === "running";
  return { structured, text, images, isError: !fine, ...(links && { links }) };
}
