// The skills everybody has: those of the repository, and the operator's. Read from their folders again every few seconds,
// so that a new one is offered without a restart; an unchanged file isn't parsed twice.
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";
import { skillFolders } from "../sandboxes/sandboxes.ts";
import { MOST_SKILL_MD } from "./check-skill.ts";
import { SkillProblem } from "./front-matter.ts";
import { readSkillDocument, type SkillDocument } from "./skill-document.ts";
import { hostFolder } from "./skill-folder.ts";
import { SKILL_FILES } from "./skill-name.ts";

export interface BuiltInSkill extends Omit<SkillDocument, "body"> {
  folder: string;
  file: string;
}

const FRESH_MS = 2_000;
const MOST_SKILLS = 2_000;

interface Shelf {
  at: number;
  skills: Promise<BuiltInSkill[]>;
  parsed: Map<string, { stamp: string; skill: BuiltInSkill | undefined }>;
}

const kept = perProcess<Shelf>("built-in-skills");

export function builtInSkills(now = Date.now()): Promise<BuiltInSkill[]> {
  const shelf = kept.peek();
  if (shelf && now - shelf.at < FRESH_MS) return shelf.skills;
  const parsed: Shelf["parsed"] = new Map();
  const skills = readFolders(skillFolders(), shelf?.parsed ?? new Map(), parsed);
  kept.set({ at: now, skills, parsed });
  return skills;
}

async function readFolders(
  folders: string[],
  before: Shelf["parsed"],
  parsed: Shelf["parsed"],
): Promise<BuiltInSkill[]> {
  const found = new Map<string, BuiltInSkill>();
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const children = entries.filter((child) => child.isDirectory());
    if (children.length > MOST_SKILLS) log().warn({ folder, most: MOST_SKILLS }, "some skills are left out");
    for (const entry of children.slice(0, MOST_SKILLS)) {
      const skill = await readOne(path.join(folder, entry.name), before, parsed);
      if (skill) found.set(skill.name, skill);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readOne(folder: string, before: Shelf["parsed"], parsed: Shelf["parsed"]) {
  for (const file of SKILL_FILES) {
    const stat = await lstat(path.join(folder, file)).catch(() => undefined);
    if (!stat?.isFile()) continue;
    const stamp = `${file} ${stat.size} ${stat.mtimeMs}`;
    const earlier = before.get(folder);
    const skill = earlier?.stamp === stamp ? earlier.skill : await parse(folder, file);
    parsed.set(folder, { stamp, skill });
    return skill;
  }
  return undefined;
}

async function parse(folder: string, file: string): Promise<BuiltInSkill | undefined> {
  try {
    const text = (await hostFolder(folder).read(file, MOST_SKILL_MD)).toString("utf8");
    const { body: _body, ...document } = readSkillDocument(text, path.basename(folder));
    return { ...document, folder, file };
  } catch (error) {
    const why = error instanceof SkillProblem ? error.message : String(error);
    log().warn({ folder, why }, "a skill is left out");
    return undefined;
  }
}
