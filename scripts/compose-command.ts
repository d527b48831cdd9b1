import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Docker's own plugin, or the program that came before it; undefined where there is neither. */
export async function composeCommand(): Promise<[string, ...string[]] | undefined> {
  for (const command of [["docker", "compose"], ["docker-compose"]] as [string, ...string[]][]) {
    const [program, ...words] = command;
    const answers = await promisify(execFile)(program, [...words, "version"]).catch(() => undefined);
    if (answers) return command;
  }
  return undefined;
}
