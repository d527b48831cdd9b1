import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** From a terminal without showing what is typed, or from whatever stands in its place: `… < file`, `echo … |`. */
export async function readSecretLine(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY;
  // On stderr: what goes to stdout is the answer.
  if (terminal) process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal });
  try {
    const [line = ""] = await Promise.race([once(lines, "line"), once(lines, "close")]);
    return line;
  } finally {
    lines.close();
    if (terminal) process.stderr.write("\n");
  }
}
