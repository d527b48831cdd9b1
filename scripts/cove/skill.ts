import { stat } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { checkSkill } from "#lib/skills/check-skill.ts";
import { hostFolder } from "#lib/skills/skill-folder.ts";
import { parse } from "./parse.ts";

/** The strict validator. Its verdict is also the exit code, for scripts. */
export async function skillCheck(args: string[]) {
  const { positionals } = parse(args, ["dir"], {});
  const folder = path.resolve(positionals[0] ?? "");
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new AppError("not_found", `There is no folder ${positionals[0]}.`);
  const name = path.basename(folder);
  const check = await checkSkill(name, hostFolder(folder));
  if (!check.valid) process.exitCode = 1;
  return { name, ...check };
}
