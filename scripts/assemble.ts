// `node scripts/assemble.ts <folder>`, in the Dockerfile: puts together what an image needs to run and nothing else. The
// application as Next traced it, our own scripts with the packages they import, and Node.
import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fail } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "..");
const SOURCES = ["db", "env.ts", "front", "lib", "mcp", "sandbox", "scripts", "skills", "tools"];
/** Where the commands of an image begin. */
const ENTRIES = [
  "front/main",
  ...["serve", "prepare-database", "engine-gate", "mcp", "cove", "doctor"].map((name) => `scripts/${name}`),
];
/** Traced with the application: what of it a server needs is there already. */
const TRACED = new Set(["next"]);

const IMPORT = /(?:^(?:import|export)\s(?!type\s)[^"';]*?\sfrom\s|^import\s|\bimport\()"([^"]+)"/gm;

const [target] = process.argv.slice(2);
if (!target) fail("usage: assemble.ts <folder>");

const built = path.join(root, ".next");
await mkdir(target, { recursive: true });
await copy(path.join(built, "standalone"), target);
await copy(path.join(built, "static"), path.join(target, ".next/static"));
for (const source of SOURCES) await copy(path.join(root, source), path.join(target, source));
for (const folder of await packagesOf(ENTRIES.map((name) => path.join(root, `${name}.ts`)))) {
  await copy(path.join(root, folder), path.join(target, folder));
}
await copy(process.execPath, path.join(target, "..", "node"));

function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, verbatimSymlinks: true, filter: isUsed });
}

/** Next brings what resizes pictures along, and no page of ours has it do so. Some packages bring their tests. */
function isUsed(file: string): boolean {
  return !/\/node_modules\/(@img|sharp)$|\.test\.[cm]?[jt]sx?$/.test(file);
}

/** The folders of all packages that these files import, and of those that they depend on. */
async function packagesOf(entries: string[]): Promise<Set<string>> {
  const folders = new Set<string>();
  for (const name of await importedBy(entries)) {
    if (!TRACED.has(name)) await addPackage(name, "", folders);
  }
  return folders;
}

async function importedBy(entries: string[]): Promise<Set<string>> {
  const packages = new Set<string>();
  const seen = new Set(entries);
  for (const file of seen) {
    const text = await readFile(file, "utf8");
    for (const [, from = ""] of text.matchAll(IMPORT)) {
      if (from.startsWith("#")) seen.add(path.join(root, from.slice(1)));
      else if (from.startsWith(".")) seen.add(path.resolve(path.dirname(file), from));
      else if (!from.startsWith("node:")) packages.add(/^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
    }
  }
  return packages;
}

/** Found as Node finds them: beside whoever asks, or further up. What is optional may be missing. */
async function addPackage(name: string, from: string, folders: Set<string>): Promise<void> {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const folder = path.posix.join(at, "node_modules", name);
    const text = await readFile(path.join(root, folder, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) {
      if (folders.has(folder)) return;
      folders.add(folder);
      const { dependencies, optionalDependencies } = JSON.parse(text);
      for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
        await addPackage(next, folder, folders);
      return;
    }
    if (at === "") return;
  }
}
