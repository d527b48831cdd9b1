import type { Sandbox } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { builtInSkills } from "./built-in-skills.ts";
import { readFrontMatter, SkillProblem } from "./front-matter.ts";
import { hostFolder, isInside, type SkillFolder, sandboxFolder } from "./skill-folder.ts";
import { findSkill, type Skill } from "./skills.ts";

// More than this would fill a model's context with one call.
const MOST_TEXT = 1_000_000;

/** The SKILL.md, or another text file of the skill. Only one that is on. */
export async function readSkill(
  userId: string,
  name: string,
  path?: string,
): Promise<{ skill: Skill; path: string; content: string }> {
  const skill = await findSkill(userId, name);
  const file = path ?? skill.file;
  if (!isInside(file)) throw new AppError("bad_request", "The path has to name a file within the skill.");
  const bytes = await (await folderOf(userId, skill)).read(file, MOST_TEXT).catch((error) => {
    throw fromSandbox(error);
  });
  if (bytes.includes(0)) {
    throw new AppError("bad_request", `This is not text. It is at ${skill.folder}/${file} in the sandbox.`);
  }
  return { skill, path: file, content: bytes.toString("utf8") };
}

/** Its SKILL.md, and the instructions in it. */
export async function readInstructions(
  userId: string,
  name: string,
): Promise<{ skill: Skill; body: string; content: string }> {
  const { skill, content } = await readSkill(userId, name);
  try {
    return { skill, content, body: readFrontMatter(content).body };
  } catch (error) {
    // Something that still runs in the sandbox broke it, and nobody has looked since.
    if (!(error instanceof SkillProblem)) throw error;
    throw new AppError("not_found", `The skill is broken, so it is not offered. ${error.message}`, {
      cause: error,
    });
  }
}

/** Where its files are. A built-in one is read on the host, which needs no sandbox. */
export async function folderOf(
  userId: string,
  { name, source, folder }: Pick<Skill, "name" | "source" | "folder">,
  sandbox?: Sandbox,
): Promise<SkillFolder> {
  if (source === "own") return sandboxFolder(sandbox ?? (await (await sandboxes()).open(userId)), folder);
  const builtIn = (await builtInSkills()).find((one) => one.name === name);
  if (!builtIn) throw new AppError("not_found", "There is no such skill.");
  return hostFolder(builtIn.folder);
}
