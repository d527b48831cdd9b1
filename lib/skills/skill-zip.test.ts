import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { patched, skillMd, zipOf } from "#tests/support/zips.ts";
import { checkSkill } from "./check-skill.ts";
import { hostFolder } from "./skill-folder.ts";
import { packSkill, unpackSkill } from "./skill-zip.ts";

test("a skill is packed and unpacked, with its folder or without", async () => {
  const folder = join(await temporaryDirectory(), "x");
  await mkdir(join(folder, "scripts"), { recursive: true });
  await writeFile(join(folder, "SKILL.md"), skillMd("x"));
  await writeFile(join(folder, "scripts/run.sh"), "echo hi", { mode: 0o755 });
  const { name, files } = await unpackSkill(await packSkill("x", hostFolder(folder)));
  expect(name).toBe("x");
  expect([...files].map(([path, { executable }]) => [path, executable])).toEqual([
    ["SKILL.md", false],
    ["scripts/run.sh", true],
  ]);
  const bare = await unpackSkill(
    await zipOf({ "SKILL.md": skillMd("y"), "__MACOSX/x": "", ".DS_Store": "" }),
  );
  expect([bare.name, [...bare.files.keys()]]).toEqual(["y", ["SKILL.md"]]);
});

const good = { "x/SKILL.md": skillMd("x") };
test.each<[string, () => Promise<Buffer>, RegExp]>([
  ["no zip", async () => Buffer.from("hello"), /not a zip/],
  ["nothing", async () => Buffer.alloc(0), /not a zip/],
  ["half a zip", async () => (await zipOf(good)).subarray(20), /not a zip/],
  [
    "a way out",
    async () => patched(await zipOf({ ...good, "@@/evil.sh": "" }), "@@/", "../"),
    /invalid relative path/,
  ],
  [
    "a way out from within",
    async () => patched(await zipOf({ ...good, "x/@@/@@/evil": "" }), "@@/", "../"),
    /invalid relative path/,
  ],
  [
    "an absolute path",
    async () => patched(await zipOf({ ...good, "@etc/passwd": "" }), "@etc", "/etc"),
    /absolute path/,
  ],
  ["a drive", async () => patched(await zipOf({ ...good, "C@/x": "" }), "C@/", "C:/"), /absolute path/],
  [
    "backslashes",
    async () => patched(await zipOf({ ...good, "x/..@evil": "" }), "..@evil", "..\\evil"),
    /invalid characters/,
  ],
  [
    "a NUL in a name",
    async () => patched(await zipOf({ ...good, "x/a@b": "" }), "a@b", "a\0b"),
    /not a name/,
  ],
  ["a link", async () => zipOf({ "x/SKILL.md": "/etc/passwd" }, 0o120_777), /is a link or a device/],
  ["a device", async () => zipOf(good, 0o060_666), /is a link or a device/],
  [
    "a name twice",
    async () => patched(await zipOf({ ...good, "x/a": "1", "x/b": "2" }), "x/b", "x/a"),
    /is in the zip twice/,
  ],
  ["no SKILL.md", async () => zipOf({ "x/README.md": "" }), /no SKILL.md/],
  ["one that is too deep", async () => zipOf({ "a/b/SKILL.md": skillMd("b") }), /no SKILL.md/],
  ["two skills", async () => zipOf({ ...good, "y/SKILL.md": skillMd("y") }), /more than one folder/],
  [
    "a folder that can't be a name",
    async () => zipOf({ "My Skill/SKILL.md": skillMd("my-skill") }),
    /can't be its name/,
  ],
  ["a name that escapes", async () => zipOf({ "SKILL.md": skillMd("../../x") }), /can't be its name/],
  [
    "too many files",
    async () => zipOf(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`x/${n}`, ""]))),
    /at most 500 files/,
  ],
  ["a bomb", async () => zipOf({ ...good, "x/zeros": Buffer.alloc(12 * 2 ** 20) }), /at most 10 MB/],
  [
    "a bomb in pieces",
    async () =>
      zipOf({
        ...good,
        ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x/${n}`, Buffer.alloc(2 ** 20)])),
      }),
    /at most 10 MB/,
  ],
  [
    "a bomb that lies about its size",
    async () => lying(await zipOf({ "x/zeros": Buffer.alloc(12 * 2 ** 20) })),
    /too many bytes|at most 10 MB/,
  ],
  ["100 MB", async () => Buffer.alloc(100 * 2 ** 20), /at most 10 MB/],
])("%s is refused", { timeout: 60_000 }, async (_what, make, reason) => {
  await expect(unpackSkill(await make())).rejects.toThrow(reason);
});

/** Says that it unpacks to ten bytes. */
function lying(zip: Buffer): Buffer {
  const changed = Buffer.from(zip);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(12 * 2 ** 20);
  for (let at = changed.indexOf(size); at >= 0; at = changed.indexOf(size, at + 4))
    changed.writeUInt32LE(10, at);
  return changed;
}

test("the validator sees links, sizes and spelling in a folder", async () => {
  const folder = join(await temporaryDirectory(), "x");
  await mkdir(folder);
  await writeFile(join(folder, "Skill.md"), skillMd("x"));
  expect((await checkSkill("x", hostFolder(folder))).problems).toEqual([
    "Skill.md has to be called SKILL.md.",
  ]);
  await writeFile(join(folder, "SKILL.md"), skillMd("x"));
  await symlink("/etc", join(folder, "references"));
  await writeFile(join(folder, "big"), Buffer.alloc(11 * 2 ** 20));
  expect((await checkSkill("x", hostFolder(folder))).problems).toEqual([
    "A skill is at most 10 MB.",
    "references is not a regular file: links and devices are not part of a skill.",
  ]);
  await expect(hostFolder(folder).read("references/passwd", 1000)).rejects.toThrow("The skill has no file");
});
