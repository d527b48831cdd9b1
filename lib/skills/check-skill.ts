// The strict validator, for authors: everything the standard asks for, and what will trip readers up.
import { SkillProblem } from "./front-matter.ts";
import { readSkillDocument } from "./skill-document.ts";
import { MOST_BYTES, MOST_FILES, type SkillFile, type SkillFolder } from "./skill-folder.ts";

export interface SkillCheck {
  valid: boolean;
  problems: string[];
  /** Allowed, but not good. */
  advice: string[];
}

export const MOST_SKILL_MD = 256 * 1024;
const MANY_LINES = 500;

export async function checkSkill(name: string, folder: SkillFolder): Promise<SkillCheck> {
  const files = await folder.list();
  const problems = checkFiles(files);
  if (!files.some(({ path, regular }) => path === "SKILL.md" && regular)) {
    const other = files.find(({ path }) => path.toLowerCase() === "skill.md");
    const reason = other?.regular ? `${other.path} has to be called SKILL.md.` : "There is no file SKILL.md.";
    return verdict([reason, ...problems]);
  }
  const bytes = await folder.read("SKILL.md", MOST_BYTES);
  const checked = checkSkillText(name, bytes.toString("utf8"), files);
  if (!isUtf8(bytes)) problems.push("SKILL.md is not UTF-8 text.");
  return verdict([...checked.problems, ...problems], checked.advice);
}

/** For a SKILL.md that is still being written; what it refers to is checked where the files are known. */
export function checkSkillText(name: string, text: string, files?: SkillFile[]): SkillCheck {
  if (Buffer.byteLength(text) > MOST_SKILL_MD) return verdict(["SKILL.md is larger than 256 kB."]);
  try {
    const { violations, body } = readSkillDocument(text, name);
    const advice: string[] = [];
    if (!body.trim()) violations.push("There are no instructions below the front matter.");
    const lines = body.split("\n").length;
    if (lines > MANY_LINES) advice.push(`${lines} lines are a lot to read: move details into references/.`);
    const known = new Set(files?.map(({ path }) => path));
    for (const path of files ? mentioned(body) : []) {
      if (!known.has(path)) advice.push(`${path} is mentioned, but not there.`);
    }
    return verdict(violations, advice);
  } catch (error) {
    if (error instanceof SkillProblem) return verdict([error.message]);
    throw error;
  }
}

function checkFiles(files: SkillFile[]): string[] {
  const problems: string[] = [];
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > MOST_FILES) problems.push(`A skill has at most ${MOST_FILES} files.`);
  if (bytes > MOST_BYTES) problems.push("A skill is at most 10 MB.");
  for (const { path } of files.filter(({ regular }) => !regular).slice(0, 10)) {
    problems.push(`${path} is not a regular file: links and devices are not part of a skill.`);
  }
  return problems;
}

function mentioned(body: string): string[] {
  const matches = body.matchAll(/(?<![\w./-])(?:scripts|references|assets)\/[\w./-]*\w/g);
  return [...new Set([...matches].map(([path]) => path))];
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString("utf8")).equals(bytes);
}

function verdict(problems: string[], advice: string[] = []): SkillCheck {
  return { valid: problems.length === 0, problems, advice };
}
