import { z } from "zod";
import { listWithin } from "../prompt/inline.ts";
import { defineTool, type SkillSummary } from "./tool.ts";

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
  presentation: { title: "List skills", icon: "wrench", open: false },
  async run(_input, { skills }) {
    const found = await skills.list();
    return { structured: { skills: found }, text: describeSkills(found) || "There are no skills." };
  },
});

// A model reads no more than so much of one answer; names alone tell it what to ask for.
const MOST_CHARACTERS = 20_000;

/** With their descriptions as far as there is room beside the names of the rest. */
export function describeSkills(skills: Pick<SkillSummary, "name" | "description">[]): string {
  const names = skills.map(({ name }) => `- ${name}`);
  let room = MOST_CHARACTERS - names.reduce((sum, name) => sum + name.length + 1, 0);
  const bare = skills.findIndex(({ description }) => {
    room -= description.length + 2;
    return room < 0;
  });
  const whole = skills.map(({ name, description }) => `- ${name}: ${description}`);
  if (bare < 0) return whole.join("\n");
  const more = (left: number) => `- … and ${left} more folders in /skills and /workspace/.agents/skills`;
  const rest = listWithin(names.slice(bare), MOST_CHARACTERS, more);
  const how = "By name alone, since there are many; read_skill has their descriptions:";
  return [...whole.slice(0, bare), how, rest].join("\n");
}
