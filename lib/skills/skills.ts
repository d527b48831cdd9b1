// The skills one user has: everybody's, their own before those, without what they switched off. Every prompt, tool,
// resource and route asks here.
import { listSkills, listSkillsOff, type SkillRow } from "#db/queries/skills.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { type BuiltInSkill, builtInSkills } from "./built-in-skills.ts";
import { ownSkillsNoticed } from "./notice-own-skills.ts";
import { OWN_SKILLS } from "./own-skills.ts";

export interface Skill {
  name: string;
  description: string;
  version: string | null;
  dependencies: string[];
  license: string | null;
  compatibility: string | null;
  allowedTools: string[];
  source: "built-in" | "own";
  /** Where the sandbox has it, without its file. */
  folder: string;
  /** SKILL.md, or nearly so. */
  file: string;
  /** What its author should know. */
  warnings: string[];
}

/** One that is on the page and nowhere else: switched off, or broken. */
export interface ShelvedSkill extends Skill {
  on: boolean;
  problem: string | null;
  /** Their own stands before a built-in one of this name. */
  overrides: boolean;
}

export async function skillsOf(userId: string): Promise<Skill[]> {
  return (await shelfOf(userId)).filter(({ on, problem }) => on && !problem).map(toSkill);
}

export async function findSkill(userId: string, name: string): Promise<Skill> {
  const skill = (await skillsOf(userId)).find((one) => one.name === name);
  if (!skill) throw new AppError("not_found", "There is no such skill.");
  return skill;
}

/** All there are, for the page that switches them on and off. */
export async function shelfOf(userId: string): Promise<ShelvedSkill[]> {
  await ownSkillsNoticed(userId);
  const [everybodys, own, off] = await Promise.all([
    builtInSkills(),
    listSkills(db(), userId),
    listSkillsOff(db(), userId),
  ]);
  const builtIn = new Set(everybodys.map(({ name }) => name));
  const sound = new Set(own.filter(({ problem }) => !problem).map(({ name }) => name));
  const switchedOff = new Set(off);
  // A broken skill of one's own doesn't take the built-in one away.
  return [
    ...everybodys.filter(({ name }) => !sound.has(name)).map(ofEverybody),
    ...own.map((row) => ({ ...ofRow(row), overrides: !row.problem && builtIn.has(row.name) })),
  ]
    .map((skill) => ({ ...skill, on: !switchedOff.has(skill.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function ofEverybody(skill: BuiltInSkill): Omit<ShelvedSkill, "on"> {
  const { name, description, version = null, license = null, compatibility = null, dependencies } = skill;
  return {
    name,
    description,
    version,
    license,
    compatibility,
    dependencies,
    allowedTools: skill.allowedTools,
    source: "built-in",
    folder: `/skills/${name}`,
    file: skill.file,
    warnings: skill.violations,
    problem: null,
    overrides: false,
  };
}

function ofRow(row: SkillRow): Omit<ShelvedSkill, "on" | "overrides"> {
  const { name, file, description, version, license, compatibility, problem } = row;
  return {
    name,
    file,
    description,
    version,
    license,
    compatibility,
    problem,
    source: "own",
    folder: `${OWN_SKILLS}/${name}`,
    dependencies: JSON.parse(row.dependencies),
    allowedTools: JSON.parse(row.allowedTools),
    warnings: JSON.parse(row.warnings),
  };
}

function toSkill({ on: _on, problem: _problem, overrides: _overrides, ...skill }: ShelvedSkill): Skill {
  return skill;
}
