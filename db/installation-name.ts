import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { v7 } from "uuid";

/** A data directory's name for itself, chosen once. A database that is made for it takes it as the installation's id. */
export async function installationName(dataDir: string): Promise<string> {
  const file = path.join(dataDir, "installation");
  const known = (await readFile(file, "utf8").catch(() => "")).trim();
  if (/^[0-9a-f-]{36}$/.test(known)) return known;
  const name = v7();
  await writeFile(file, `${name}\n`);
  return name;
}
