import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extract } from "tar-stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Folders } from "../engine/engine.ts";
import { archive, fingerprint } from "./folder-archive.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cove-archive-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function unpack(folders: Folders) {
  const found: Record<string, string> = {};
  const reader = archive(folders).pipe(extract());
  for await (const entry of reader) {
    const { name, type, mode, uid } = entry.header;
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    found[name] = `${type} ${mode?.toString(8)} ${uid} ${text}`.trim();
  }
  return found;
}

test("files and directories travel as root's, readable by all", async () => {
  await mkdir(join(folder, "a"));
  await writeFile(join(folder, "a", "run.sh"), "hello", { mode: 0o700 });
  await writeFile(join(folder, "empty"), "", { mode: 0o600 });
  expect(await unpack({ skills: folder })).toEqual({
    skills: "directory 755 0",
    "skills/a": "directory 755 0",
    "skills/a/run.sh": "file 755 0 hello",
    "skills/empty": "file 644 0",
  });
});

test("links and caches stay behind", async () => {
  await symlink("/etc/passwd", join(folder, "link"));
  await mkdir(join(folder, "__pycache__"));
  expect(Object.keys(await unpack({ tools: folder }))).toEqual(["tools"]);
});

test("of several folders the later one's entries stand in for those of the same name, whole", async () => {
  for (const file of ["one/a/old", "one/b/kept", "two/a/new"]) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), file);
  }
  const several = { skills: [join(folder, "one"), join(folder, "missing"), join(folder, "two")] };
  expect(Object.keys(await unpack(several))).toEqual([
    "skills",
    "skills/a",
    "skills/a/new",
    "skills/b",
    "skills/b/kept",
  ]);
});

test("a folder that isn't there is an empty one", async () => {
  expect(Object.keys(await unpack({ tools: join(folder, "missing") }))).toEqual(["tools"]);
});

test("the fingerprint changes with a file's contents, name and mode, and not by itself", async () => {
  const seen = new Set<string>();
  const look = async () => seen.add(await fingerprint({ tools: folder })).size;
  expect(await look()).toBe(1);
  await writeFile(join(folder, "a"), "1");
  expect(await look()).toBe(2);
  await writeFile(join(folder, "a"), "22");
  expect(await look()).toBe(3);
  await rename(join(folder, "a"), join(folder, "b"));
  expect(await look()).toBe(4);
  await chmod(join(folder, "b"), 0o755);
  expect(await look()).toBe(5);
  expect(await look()).toBe(5);
});
