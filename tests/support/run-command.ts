import { execFile } from "node:child_process";
import { cleanEnv, root } from "./cove.ts";

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** What an operator pastes from a document into a shell. */
export function runInShell(settings: Record<string, string | undefined>, script: string): Promise<Outcome> {
  return outcomeOf("bash", ["-euc", script], settings);
}

/** `npm run -s cove -- <words>`, by the script behind it. */
export function runCommand(
  settings: Record<string, string | undefined>,
  ...words: string[]
): Promise<Outcome> {
  return outcomeOf(process.execPath, ["scripts/cove.ts", ...words], settings);
}

function outcomeOf(
  program: string,
  args: string[],
  settings: Record<string, string | undefined>,
): Promise<Outcome> {
  const env = cleanEnv({ COVE_SANDBOX_DISK: "64m", ...settings });
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}
