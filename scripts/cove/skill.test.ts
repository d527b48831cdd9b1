import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";

const root = path.resolve(import.meta.dirname, "../..");

function check(folder: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/cove.ts", "skill", "check", folder],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  return { status, stderr, verdict: stdout && JSON.parse(stdout) };
}

test("an author is told what is wrong, by exit code and as JSON, without an installation", {
  timeout: 60_000,
}, async () => {
  expect(check("skills/data-analysis")).toMatchObject({
    status: 0,
    verdict: { name: "data-analysis", valid: true, problems: [], advice: [] },
  });
  const folder = path.join(await temporaryDirectory(), "my-skill");
  await mkdir(folder);
  await writeFile(
    path.join(folder, "SKILL.md"),
    "---\nname: other\ndescription: d\n---\nRun scripts/x.py.\n",
  );
  expect(check(folder)).toMatchObject({
    status: 1,
    verdict: {
      valid: false,
      problems: ["The name “other” is not the folder's, “my-skill”."],
      advice: ["scripts/x.py is mentioned, but not there."],
    },
  });
  expect(check("nowhere")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("There is no folder nowhere."),
  });
});
