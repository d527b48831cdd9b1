// What is mounted on this host and from where, read from the kernel rather than remembered.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";

/** Mount points and the device each is mounted from. */
export async function mountTable(): Promise<Map<string, string>> {
  const table = await readFile("/proc/self/mountinfo", "utf8");
  return new Map(table.split("\n").filter(Boolean).map(parseMount));
}

/** `36 35 98:0 /root /point options - type source options`, with any number of fields before the hyphen. */
export function parseMount(line: string): [point: string, source: string] {
  const [before = "", after = ""] = line.split(" - ");
  return [unescapeMount(before.split(" ")[4] ?? ""), unescapeMount(after.split(" ")[1] ?? "")];
}

/** The kernel writes space, tab, newline and backslash as three octal digits. */
export function unescapeMount(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** The file behind a loop device; undefined once the device has let go of it. */
export async function backingFile(device: string): Promise<string | undefined> {
  const file = `/sys/block/${basename(device)}/loop/backing_file`;
  const path = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENXIO" || error.code === "ENODEV") return undefined;
    throw error;
  });
  return path?.trimEnd();
}
