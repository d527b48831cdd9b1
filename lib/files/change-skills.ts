// What a person does to their own skills in the app. Their files are changed through the sandbox, on record, and noticed
// like any other change.
import { randomUUID } from "node:crypto";
import { forgetOtherSkills, switchSkill } from "#db/queries/skills.ts";
import type { SandboxFiles } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { builtInSkills } from "../skills/built-in-skills.ts";
import { MOST_SKILL_MD } from "../skills/check-skill.ts";
import { SkillProblem } from "../skills/front-matter.ts";
import { ownSkillsNoticed } from "../skills/notice-own-skills.ts";
import { OWN_SKILLS } from "../skills/own-skills.ts";
import { forgetPrompt } from "../skills/prompt-cache.ts";
import { folderOf } from "../skills/read-skill.ts";
import { readSkillDocument } from "../skills/skill-document.ts";
import { MOST_BYTES } from "../skills/skill-folder.ts";
import { isSkillName, NAME_RULE, SKILL_FILES } from "../skills/skill-name.ts";
import { type NewFile, unpackSkill } from "../skills/skill-zip.ts";
import { shelfOf } from "../skills/skills.ts";
import { runChange } from "./run-change.ts";

/** A new one, written in the app. */
export async function createSkill(userId: string, name: string, text: string): Promise<void> {
  if (!isSkillName(name)) throw new AppError("bad_request", `${NAME_RULE}.`, { field: "name" });
  await putSkill(userId, name, new Map([["SKILL.md", fileOf(requireReadable(name, text))]]));
}

/** Another text for one that is there. Its other files stay. */
export async function editSkill(userId: string, name: string, text: string): Promise<void> {
  const skill = await findOwn(userId, name);
  requireReadable(name, text);
  const path = `${skill.folder}/${skill.file}`;
  await change(userId, "save_skill", { path, bytes: Buffer.byteLength(text) }, (files) =>
    files.write(path, text),
  );
}

/** Resolves to the name it has. */
export async function addSkillFromZip(userId: string, zip: Buffer): Promise<string> {
  const { name, files } = await unpackSkill(zip);
  const main = SKILL_FILES.find((file) => files.has(file));
  requireReadable(name, files.get(main ?? "SKILL.md")?.data.toString("utf8") ?? "");
  await putSkill(userId, name, files);
  return name;
}

/** A copy of a built-in skill that stands before it, to be changed at will. */
export async function customiseSkill(userId: string, name: string): Promise<void> {
  const skill = (await shelfOf(userId)).find((one) => one.name === name && one.source === "built-in");
  if (!skill) throw new AppError("not_found", "There is no built-in skill of that name.");
  const folder = await folderOf(userId, skill);
  const files = new Map<string, NewFile>();
  for (const { path, regular, executable } of await folder.list()) {
    if (regular) files.set(path, { data: await folder.read(path, MOST_BYTES), executable });
  }
  await putSkill(userId, name, files);
}

export async function deleteSkill(userId: string, name: string): Promise<void> {
  const { folder } = await findOwn(userId, name);
  await change(userId, "delete_skill", { path: folder }, (files) =>
    files.remove(folder, { recursive: true }).catch(unlessGone),
  );
  // A built-in one of this name stays switched off; otherwise the next one of this name begins switched on.
  const remains = (await builtInSkills()).some((skill) => skill.name === name);
  if (!remains) await switchSkill(db(), userId, name, true);
}

export async function setSkill(userId: string, name: string, on: boolean): Promise<void> {
  const names = (await shelfOf(userId)).map((skill) => skill.name);
  if (!names.includes(name)) throw new AppError("not_found", "There is no such skill.");
  await switchSkill(db(), userId, name, on);
  await forgetOtherSkills(db(), userId, names);
  forgetPrompt(userId);
}

/** Beside its place first, then moved there: nobody sees half a skill, and one that is there is never mixed with another. */
async function putSkill(userId: string, name: string, skillFiles: Map<string, NewFile>): Promise<void> {
  const folder = `${OWN_SKILLS}/${name}`;
  const aside = `/workspace/.agents/.incoming-${randomUUID()}`;
  await change(userId, "save_skill", { path: folder, files: skillFiles.size }, async (files) => {
    try {
      for (const [path, { data, executable }] of skillFiles) {
        await files.write(`${aside}/${path}`, data, { mode: executable ? 0o755 : 0o644 });
      }
      await files.makeDirectory(OWN_SKILLS);
      await files.move(aside, folder).catch((error) => {
        if (error.code !== "exists") throw error;
        throw new AppError("conflict", `You have a skill called ${name} already. Edit or delete that one.`, {
          cause: error,
        });
      });
    } catch (error) {
      await files.remove(aside, { recursive: true }).catch(() => undefined);
      throw error;
    }
  });
}

async function change(
  userId: string,
  name: "save_skill" | "delete_skill",
  given: Record<string, unknown>,
  work: (files: SandboxFiles) => Promise<unknown>,
): Promise<void> {
  await runChange({ userId, name, arguments: given }, async (files) => {
    await work(files);
    return { structured: {}, text: name === "save_skill" ? "Saved." : "Deleted." };
  });
  await ownSkillsNoticed(userId);
}

async function findOwn(userId: string, name: string) {
  const skill = (await shelfOf(userId)).find((one) => one.name === name && one.source === "own");
  if (!skill) throw new AppError("not_found", "You have no skill of that name.");
  return skill;
}

/** It may fall short of the standard, but it has to be something that can be offered. */
function requireReadable(name: string, text: string): string {
  try {
    readSkillDocument(text, name);
  } catch (error) {
    if (error instanceof SkillProblem) throw new AppError("bad_request", error.message, { cause: error });
    throw error;
  }
  if (Buffer.byteLength(text) > MOST_SKILL_MD)
    throw new AppError("too_large", "SKILL.md is larger than 256 kB.");
  return text;
}

function fileOf(text: string): NewFile {
  return { data: Buffer.from(text), executable: false };
}

function unlessGone(error: { code?: string }): undefined {
  if (error.code !== "not_found") throw error;
}
