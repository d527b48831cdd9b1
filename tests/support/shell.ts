// Commands as an operator types them, in the folder of docker-compose.yml.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { composeCommand } from "#scripts/compose-command.ts";
import { cleanEnv, root } from "./cove.ts";

/** Resolves to what the script printed; rejects with its output at the first command that fails. */
export async function shell(script: string, env: Record<string, string> = {}): Promise<string> {
  const typed = await onThisHost(script);
  try {
    const options = { cwd: root, env: cleanEnv(env), maxBuffer: 64 * 2 ** 20 };
    return (await promisify(execFile)("bash", ["-euo", "pipefail", "-c", typed], options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${typed}\n${(stdout + stderr).slice(-8000)}`, { cause: error });
  }
}

/** Where compose is the program that came before Docker's plugin, `docker compose` means that one. */
export async function onThisHost(script: string): Promise<string> {
  const command = await composeCommand();
  if (!command) throw new Error("There is no docker compose here.");
  return script.replaceAll(/\bdocker compose\b/g, command.join(" "));
}
