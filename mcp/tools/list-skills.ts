import { z } from "zod";
import { defineTool } from "./tool.ts";

export const skillSummary = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string().nullable(),
  dependencies: z.array(z.string()),
  source: z.enum(["built-in", "own"]),
  path: z.string().describe("Where its SKILL.md is in the sandbox."),
});

export const listSkills = defineTool({
  name: "list_skills",
  title: "List skills",
  description: `Lists the skills: tried instructions for kinds of work, each with the occasions it is for. Read one that fits with
read_skill before you start on the work.`,
  input: z.object({}),
  output: z.object({ skills: z.array(skillSummary) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  async run(_input, { skills }) {
    const found = await skills.list();
    const lines = found.map(({ name, description }) => `- ${name}: ${description}`);
    return { structured: { skills: found }, text: lines.join("\n") || "There are no skills." };
  },
});
