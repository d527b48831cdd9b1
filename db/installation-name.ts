import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { v7 } from "uuid";

/** A data directory's name for itself, chosen once. A database that is made for it takes it as the installation's id. */
export async function installationName(dataDir: string): Promise<string> {
  const known = await knownInstallationName(dataDir);
  if (known) return known;
  const name = v7();
  await writeFile(fileIn(dataDir), `${name}\n`);
  return name;
}

/** Another one, for a data directory that is a copy. */
export async function renameInstallationOf(dataDir: string, name: string): Promise<void> {
  await writeFile(fileIn(dataDir), `${name}\n`);
}

/** The same, if it was chosen already. */
export async function knownInstallationName(dataDir: string): Promise<string | undefined> {
  const known = (await readFile(fileIn(dataDir), "utf8").catch(() => "")).trim();
  return /^[0-9a-f-]{36}$/.test(known) ? known : undefined;
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, "installation");
}
