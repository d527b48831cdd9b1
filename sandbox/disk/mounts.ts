// What is mounted on this host, read from the kernel rather than remembered.

import { readFile } from "node:fs/promises";

export async function mountPoints(): Promise<Set<string>> {
  const table = await readFile("/proc/self/mountinfo", "utf8");
  const lines = table.split("\n").filter(Boolean);
  return new Set(lines.map((line) => unescapeMount(line.split(" ")[4] ?? "")));
}

/** The kernel writes space, tab, newline and backslash as three octal digits. */
export function unescapeMount(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
