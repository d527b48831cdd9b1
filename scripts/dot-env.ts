import { existsSync } from "node:fs";
import path from "node:path";

/** Reads `.env` if there is one. What the shell already sets wins, as people expect. */
export function loadDotEnv(root: string): void {
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}
