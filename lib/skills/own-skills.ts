// A user's own skills: folders under /workspace/.agents/skills. What their front matter says is kept in Postgres and read
// again after a run that touched it, so that nobody needs the sandbox to know what there is.
import { deleteSkills, listSkills, replaceSkills, type SkillRow } from "#db/queries/skills.ts";
import { isSandboxError, type Sandbox } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { perProcess } from "../per-process.ts";
import { MOST_FRONT_MATTER, SkillProblem } from "./front-matter.ts";
import { forgetPrompt } from "./prompt-cache.ts";
import { readSkillDocument } from "./skill-document.ts";
import { isSkillName, NAME_RULE, SKILL_FILES } from "./skill-name.ts";

export const OWN_SKILLS = "/workspace/.agents/skills";

// So many are looked at; a look costs a message each.
const MOST_SKILLS = 1000;
const AT_ONCE = 50;
const MANY_USERS = 10_000;

/** What a user's folder looked like at the last look: the same again costs no query. */
const lastSeen = perProcess<Map<string, string>>("own-skills");

interface Found {
  name: string;
  file: string;
  size: number;
  modifiedMs: number;
  problem?: string;
}

export async function readOwnSkills(userId: string, sandbox: Sandbox): Promise<void> {
  const found = await findSkills(sandbox);
  const seen = lastSeen.get(() => new Map());
  const picture = JSON.stringify(found);
  if (seen.get(userId) === picture) return;

  const known = new Map((await listSkills(db(), userId)).map((row) => [row.name, row]));
  const names = new Set(found.map(({ name }) => name));
  const changed = found.filter((skill) => !isSame(known.get(skill.name), skill));
  const rows = await inBatches(changed, (skill) => readRow(sandbox, skill));
  const gone = [...known.keys()].filter((name) => !names.has(name));
  if (rows.length > 0 || gone.length > 0) {
    await replaceSkills(db(), userId, { found: rows, gone });
    forgetPrompt(userId);
  }
  if (seen.size > MANY_USERS) seen.clear();
  seen.set(userId, picture);
}

/** For a workspace that is gone. */
export async function dropOwnSkills(userId: string): Promise<void> {
  await deleteSkills(db(), userId);
  lastSeen.peek()?.delete(userId);
  forgetPrompt(userId);
}

async function findSkills(sandbox: Sandbox): Promise<Found[]> {
  const folders = await sandbox.files.list(OWN_SKILLS, { limit: MOST_SKILLS }).catch(nothingThere);
  const entries = (folders?.entries ?? []).filter(({ name }) => !name.startsWith("."));
  const found = await inBatches(entries, async ({ name, type }): Promise<Found | undefined> => {
    const shown = name.toWellFormed().slice(0, 100);
    const bare = { name: shown, file: "SKILL.md", size: 0, modifiedMs: 0 };
    if (type === "symlink") return { ...bare, problem: "It is a link, and links are not followed." };
    if (type !== "directory") return undefined;
    if (!isSkillName(name)) return { ...bare, problem: `This can't be its name. ${NAME_RULE}.` };
    for (const file of SKILL_FILES) {
      const stat = await sandbox.files.stat(`${OWN_SKILLS}/${name}/${file}`).catch(nothingThere);
      if (stat?.type === "file") {
        // 2 GB of holes is a number that no column needs to hold.
        return { name, file, size: Math.min(stat.size, 2 ** 30), modifiedMs: stat.modifiedMs };
      }
      if (stat)
        return { ...bare, file, problem: `${file} is not a regular file, and links are not followed.` };
    }
    return { ...bare, problem: "There is no file SKILL.md in it." };
  });
  if (folders?.next !== undefined) found.push(beyond(folders.next));
  return [...new Map(found.flatMap((skill) => (skill ? [[skill.name, skill] as const] : []))).values()];
}

/** Stands on the page for those that are too many; no skill can have this name. */
function beyond(last: string): Found {
  const name = last.toWellFormed().slice(0, 100);
  const problem = `Only ${MOST_SKILLS} folders are looked at: what comes after “${name}” is not offered.`;
  return { name: "and more", file: "SKILL.md", size: 0, modifiedMs: 0, problem };
}

async function readRow(sandbox: Sandbox, skill: Found): Promise<SkillRow> {
  const { problem, ...place } = skill;
  const row = { ...unread, ...place };
  if (problem) return { ...row, problem };
  try {
    const path = `${OWN_SKILLS}/${skill.name}/${skill.file}`;
    // The front matter is all that is kept; the body is read where it is.
    const head = await sandbox.files.read(path, { length: MOST_FRONT_MATTER + 1024 });
    const document = readSkillDocument(head.toString("utf8"), skill.name);
    const { description, license = null, compatibility = null, version = null } = document;
    return {
      ...row,
      ...{ description, license, compatibility, version },
      dependencies: JSON.stringify(document.dependencies),
      allowedTools: JSON.stringify(document.allowedTools),
      warnings: JSON.stringify(document.violations),
    };
  } catch (error) {
    if (error instanceof SkillProblem) return { ...row, problem: error.message };
    if (isSandboxError(error)) return { ...row, problem: "Its SKILL.md could not be read." };
    throw error;
  }
}

const unread = {
  description: "",
  license: null,
  compatibility: null,
  version: null,
  dependencies: "[]",
  allowedTools: "[]",
  warnings: "[]",
  problem: null,
};

function isSame(row: SkillRow | undefined, found: Found): boolean {
  if (!row) return false;
  if (found.problem) return row.problem === found.problem;
  return row.file === found.file && row.size === found.size && row.modifiedMs === found.modifiedMs;
}

async function inBatches<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return done;
}

/** A path that doesn't exist, or whose parents are links or files: there are no skills there. */
function nothingThere(error: unknown): undefined {
  const codes = ["not_found", "path_refused", "not_a_directory"];
  if (isSandboxError(error) && codes.includes(error.code)) return undefined;
  throw error;
}
