import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { FloodReport } from "./flooder.ts";
import type { LoadUser } from "./users.ts";

/** Floods for so long and says what became of it. */
export async function startFlooder({ url, token }: LoadUser, seconds: number): Promise<FloodReport> {
  const child = fork(path.join(import.meta.dirname, "flooder.ts"), [url, token, String(seconds)]);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The flooder ended with ${code}.`);
  });
  const [report] = await Promise.race([once(child, "message"), ended]);
  return report as FloodReport;
}
