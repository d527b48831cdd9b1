import { z } from "zod";
import { artifactView } from "./artifact-view.ts";
import { defineTool } from "./tool.ts";

export const listArtifacts = defineTool({
  name: "list_artifacts",
  title: "List artifacts",
  description: `Lists what code made so far, the latest first: every file that a run created or changed under /workspace and every
figure that Python showed, as it was then. get_artifact shows one. Hidden files, environments and packages are left out.`,
  input: z.object({
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(8192).optional().describe("`next` of the page before."),
  }),
  output: z.object({
    artifacts: z.array(artifactView),
    next: z.string().optional().describe("There are more: the cursor of the next page."),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "List artifacts", icon: "wrench", open: false },
  async run({ limit, cursor }, { artifacts }) {
    const { items, next } = await artifacts.list({ limit, cursor });
    const lines = items.map(({ id, path, mime, size }) => `${id}  ${path}  (${mime}, ${size} bytes)`);
    if (next) lines.push(`There are more: cursor "${next}".`);
    const structured = { artifacts: items, ...(next && { next }) };
    return { structured, text: lines.join("\n") || "There are no artifacts yet." };
  },
});
