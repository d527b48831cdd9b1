// Files in a real container, as its user sees them.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes();
  sandbox = await fixture.sandboxes.open("filer");
});
afterAll(() => fixture.cleanUp());

test("what is written is what commands see, and the other way round", async () => {
  expect(await sandbox.files.write("notes/a.txt", "one\n")).toEqual({ bytesWritten: 4, size: 4 });
  expect(await sandbox.files.append("notes/a.txt", "two\n")).toEqual({ bytesWritten: 4, size: 8 });
  expect(await shell("cat notes/a.txt; stat -c '%a %U' notes notes/a.txt")).toBe(
    "one\ntwo\n755 coderunner\n644 coderunner\n",
  );
  await shell("printf '\\0\\377' > notes/b.bin");
  expect(await sandbox.files.read("/workspace/notes/b.bin")).toEqual(Buffer.from([0, 255]));
});

test("relative, dotted and aliased paths mean what they say", async () => {
  await sandbox.files.write("/mnt/data/plot.txt", "p");
  expect(String(await sandbox.files.read("outputs/plot.txt"))).toBe("p");
  expect(String(await sandbox.files.read("/mnt/user-data/outputs/plot.txt"))).toBe("p");
  expect(String(await sandbox.files.read("./notes/../outputs//plot.txt"))).toBe("p");
  await sandbox.files.write("/tmp/t", "t");
  expect(await shell("cat /tmp/t")).toBe("t");
});

test("a replaced file keeps its permissions, and a reader sees the old or the new one", async () => {
  await sandbox.files.write("script.sh", "echo old", { mode: 0o755 });
  const held = sandbox.run("exec 3< script.sh; echo ready; sleep 0.3; cat <&3", {
    onOutput: async ({ data }) => {
      if (String(data) === "ready\n") await sandbox.files.write("script.sh", "echo new");
    },
  });
  expect(String((await held).stdout)).toBe("ready\necho old");
  expect(await shell("stat -c %a script.sh; ./script.sh")).toBe("755\nnew\n");
});

test("stat tells files, directories, links and the rest apart", async () => {
  await shell(
    "mkdir -p kinds/dir; echo hello > kinds/file; ln -s ../kinds/file kinds/link; mkfifo kinds/fifo",
  );
  const { entries } = await sandbox.files.list("kinds");
  expect(entries.map(({ name, type, target }) => [name, type, target])).toEqual([
    ["dir", "directory", undefined],
    ["fifo", "other", undefined],
    ["file", "file", undefined],
    ["link", "symlink", "../kinds/file"],
  ]);
  expect(await sandbox.files.stat("kinds/file")).toMatchObject({
    name: "file",
    type: "file",
    size: 6,
    mode: 0o644,
  });
  expect(await sandbox.files.stat("kinds/link")).toMatchObject({ type: "symlink", target: "../kinds/file" });
  expect(Math.abs((await sandbox.files.stat("kinds/file")).modifiedMs - Date.now())).toBeLessThan(60_000);
});

test("moving and removing", async () => {
  await sandbox.files.write("here/a", "a");
  await sandbox.files.write("here/b", "b");
  await expect(sandbox.files.move("here/a", "here/b")).rejects.toMatchObject({ code: "exists" });
  await sandbox.files.move("here/a", "there/c");
  await sandbox.files.move("there/c", "here/b", { overwrite: true });
  expect(String(await sandbox.files.read("here/b"))).toBe("a");
  await expect(sandbox.files.remove("here")).rejects.toMatchObject({ code: "not_empty" });
  await sandbox.files.remove("here", { recursive: true });
  await expect(sandbox.files.stat("here")).rejects.toMatchObject({ code: "not_found", path: "here" });
  await expect(sandbox.files.move("/workspace/there", "/tmp/there")).rejects.toMatchObject({
    code: "invalid_argument",
  });
});

const refusals: [string, () => Promise<unknown>, string][] = [
  ["reading what isn't there", () => sandbox.files.read("none"), "not_found"],
  ["reading a directory", () => sandbox.files.read("outputs"), "is_a_directory"],
  ["writing over a directory", () => sandbox.files.write("outputs", "x"), "is_a_directory"],
  ["listing a file", () => sandbox.files.list("plain"), "not_a_directory"],
  ["a file used as a directory", () => sandbox.files.write("plain/x", "x"), "not_a_directory"],
  ["reading /etc", () => sandbox.files.read("/etc/hostname"), "path_refused"],
  ["climbing out", () => sandbox.files.read("../../etc/hostname"), "path_refused"],
  ["writing to the skills", () => sandbox.files.write("/skills/x", "x"), "read_only"],
  ["writing to the tools", () => sandbox.files.write("/tools/x", "x"), "read_only"],
  ["removing the workspace", () => sandbox.files.remove("/workspace", { recursive: true }), "path_refused"],
  ["a name that is too long", () => sandbox.files.write("x".repeat(300), "x"), "invalid_argument"],
  ["a NUL in a name", () => sandbox.files.read("a\0b"), "invalid_argument"],
];

for (const [what, attempt, code] of refusals) {
  test(`${what} is refused with a name and a sentence`, async () => {
    await sandbox.files.write("plain", "x");
    const error = await attempt().catch((error: Error) => error);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toMatch(/^.+\.$/s);
  });
}

test("a full disk is an error that says so, and what was there is intact", async () => {
  await sandbox.files.write("precious", "still here");
  const tooMuch = Buffer.alloc(63 * 2 ** 20, 1);
  await expect(sandbox.files.write("precious", tooMuch)).rejects.toMatchObject({ code: "no_space" });
  expect(String(await sandbox.files.read("precious"))).toBe("still here");
  expect(await shell("ls -a | grep -c '^.cove'; true")).toBe("0\n");
});

async function shell(command: string): Promise<string> {
  const { stdout, stderr } = await sandbox.run(command);
  expect(String(stderr)).toBe("");
  return String(stdout);
}
