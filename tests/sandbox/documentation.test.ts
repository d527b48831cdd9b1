import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the script in docs/sandbox.md does what the page says", async () => {
  const root = join(import.meta.dirname, "../..");
  const page = await readFile(join(root, "docs/sandbox.md"), "utf8");
  const [script = "", printed = ""] = [...page.matchAll(/```(?:ts)?\n(.*?)```/gs)].map((match) => match[1]);
  const file = join(root, "tests/sandbox/documented-script.ts");
  await writeFile(file, script);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toBe(printed);
  } finally {
    await rm(file);
  }
});
