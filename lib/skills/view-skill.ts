import { AppError } from "../app-error.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { MOST_SKILL_MD } from "./check-skill.ts";
import { readFrontMatter, SkillProblem } from "./front-matter.ts";
import { folderOf } from "./read-skill.ts";
import { readSkillDocument } from "./skill-document.ts";
import { isInside, MOST_BYTES, type SkillFile, type SkillFolder } from "./skill-folder.ts";
import { packSkill } from "./skill-zip.ts";
import { type ShelvedSkill, shelfOf } from "./skills.ts";

export interface SkillView {
  skill: ShelvedSkill;
  files: SkillFile[];
  /** The whole SKILL.md; empty when it can't be read. */
  text: string;
  /** Without its front matter. */
  body: string;
  /** A task to try it with. */
  example?: string;
}

/** Everything about a skill for its page, also of one that is off or broken. */
export async function viewSkill(userId: string, name: string): Promise<SkillView> {
  const skill = await findShelved(userId, name);
  const folder = await folderOf(userId, skill);
  const files = await folder.list().catch(() => []);
  const text = await textOf(folder, skill.file);
  return { skill, files, text, ...instructionsIn(text, name) };
}

/** One of its files as text, for reading on the page. */
export async function viewSkillFile(userId: string, name: string, file: string): Promise<string> {
  if (!isInside(file)) throw new AppError("not_found", "The skill has no such file.");
  const folder = await folderOf(userId, await findShelved(userId, name));
  const bytes = await folder.read(file, MOST_SKILL_MD).catch((error) => {
    throw fromSandbox(error);
  });
  if (bytes.includes(0))
    throw new AppError("bad_request", "This file is not text. Download the skill to open it.");
  return bytes.toString("utf8");
}

export async function zipSkill(userId: string, name: string): Promise<Buffer> {
  const skill = await findShelved(userId, name);
  const folder = await folderOf(userId, skill);
  return packSkill(skill.name, folder).catch((error) => {
    throw fromSandbox(error);
  });
}

/** One's own first, even a broken one: that is the one to look at. */
async function findShelved(userId: string, name: string): Promise<ShelvedSkill> {
  const found = (await shelfOf(userId)).filter((skill) => skill.name === name);
  const skill = found.find(({ source }) => source === "own") ?? found[0];
  if (!skill) throw new AppError("not_found", "There is no such skill.");
  return skill;
}

async function textOf(folder: SkillFolder, file: string): Promise<string> {
  const bytes = await folder.read(file, MOST_BYTES).catch(() => Buffer.alloc(0));
  return bytes.length > MOST_SKILL_MD ? "" : bytes.toString("utf8");
}

function instructionsIn(text: string, name: string): { body: string; example?: string } {
  try {
    const example = readSkillDocument(text, name).metadata.get("example");
    return { body: readFrontMatter(text).body, ...(example && { example }) };
  } catch (error) {
    if (error instanceof SkillProblem) return { body: "" };
    throw error;
  }
}
