import { findAnyTool } from "#mcp/tools/catalogue.ts";
import { type CallCode, codeAt } from "#mcp/tools/presentation.ts";

/** What was run or written by a call that is on record, as code: each tool says where it keeps it. */
export function callCode(tool: string, given: Record<string, unknown>): CallCode | undefined {
  return codeAt(findAnyTool(tool)?.presentation.code, given);
}
