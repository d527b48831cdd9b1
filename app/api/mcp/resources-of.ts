import type { ResourceKind } from "#mcp/resources/resource-kind.ts";

/** What the user can read by address over MCP. */
export function resourcesOf(_userId: string): ResourceKind[] {
  return [];
}
