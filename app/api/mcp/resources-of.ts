import type { ResourceKind } from "#mcp/serve-resources.ts";
import { artifactResources } from "./artifact-resources.ts";
import { skillResources } from "./skill-resources.ts";
import { spoken } from "./spoken.ts";

/** What the user can read by address over MCP. */
export function resourcesOf(userId: string): ResourceKind[] {
  return [skillResources(userId), artifactResources(userId)].map((kind) => ({
    ...kind,
    list: spoken(kind.list),
    read: spoken(kind.read),
  }));
}
