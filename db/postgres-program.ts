import { spawn } from "node:child_process";
import path from "node:path";
import type { Place } from "./postgres-place.ts";

/** Runs one to its end. In a group of its own: Ctrl-C reaches us alone, and we end in order what has just begun. */
export function runPostgresProgram(
  place: Place,
  program: "initdb" | "pg_ctl",
  args: string[],
): Promise<void> {
  const child = spawn(path.join(place.binaries, program), args, {
    ...place.as,
    cwd: place.directory,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${said.trim()}`))));
  });
}
