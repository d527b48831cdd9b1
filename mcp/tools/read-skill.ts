import { z } from "zod";
import { skillSummary } from "./list-skills.ts";
import { defineTool } from "./tool.ts";

export const readSkill = defineTool({
  name: "read_skill",
  title: "Read a skill",
  description: `Reads a skill's instructions (its SKILL.md), or with path another text file of it that the instructions mention,
such as references/simplify.md. Its scripts are run where they are, in the folder of the path that is returned.`,
  input: z.object({
    name: z.string().min(1).max(64),
    path: z.string().min(1).max(512).optional().describe("Within the skill; its SKILL.md if left out."),
  }),
  output: skillSummary.extend({ content: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: {
    title: "Read skill",
    icon: "wrench",
    open: false,
    subject: { arguments: ["name", "path"], between: "/" },
  },
  async run({ name, path }, { skills }) {
    const found = await skills.read(name, path);
    return { structured: { ...found }, text: found.content };
  },
});
