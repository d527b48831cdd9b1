// Every code block of every built-in skill, run in the sandbox image, in the order a reader meets them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocks } from "../support/code-blocks.ts";
import { root } from "../support/cove.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

const folder = path.join(root, "skills");
const skills = readdirSync(folder);

let all: TestSandboxes;
beforeAll(async () => {
  all = await testSandboxes({
    folders: { skills: folder, tools: path.join(root, "tools") },
    egress: { mode: "off" },
    limits: { memoryBytes: 768 * 2 ** 20 },
  });
});
afterAll(() => all.cleanUp());

describe.each(skills)("%s", (name) => {
  test.each(documentsOf(name))("every code block of %s runs", async (file) => {
    const sandbox = await all.sandboxes.open(name);
    // A session of its own, so that a document doesn't live on the imports of another.
    const session = file.replaceAll(/\W/g, "-");
    const blocks = codeBlocks(readFileSync(path.join(folder, name, file), "utf8"));
    if (file === "SKILL.md") expect(blocks.length).toBeGreaterThan(0);
    for (const { language, code, line } of blocks) {
      expect(["python", "bash"]).toContain(language);
      const { status, stdout, stderr } =
        language === "python"
          ? await sandbox.python(code, { session, timeoutMs: 110_000 })
          : await sandbox.run(`set -e\n${code}`, { timeoutMs: 110_000 });
      expect({
        at: `${file}:${line}`,
        status,
        said: status === "completed" ? "" : `${stdout}${stderr}`,
      }).toEqual({
        at: `${file}:${line}`,
        status: "completed",
        said: "",
      });
    }
    await sandbox.resetSession(session);
  });

  test.each(scriptsOf(name))("%s is shown in the skill, and says how it is called", async (script) => {
    expect(readFileSync(path.join(folder, name, "SKILL.md"), "utf8")).toContain(`/skills/${name}/${script}`);
    const called = await all.sh(name, `python3 /skills/${name}/${script} || true`, 60_000);
    expect(called).toContain(path.basename(script));
  });
});

test("what the examples promise is what they do", async () => {
  const said = async (user: string, code: string) => {
    const { stdout, stderr, status } = await (await all.sandboxes.open(user)).python(code, {
      session: "check",
    });
    return status === "completed" ? String(stdout).trim() : String(stderr);
  };
  expect(
    await said(
      "symbolic-computation",
      "from sympy import *\nx = symbols('x')\nprint(integrate(x*exp(x), x))",
    ),
  ).toBe("(x - 1)*exp(x)");
  expect(await all.sh("data-visualization", "ls /workspace/outputs")).toBe(
    "orders.png\nscores.svg\nvisits.png",
  );
  expect(
    await all.sh("data-analysis", "python3 /skills/data-analysis/scripts/overview.py sales.csv"),
  ).toMatch(/5 rows, 4 columns[\s\S]*1 rows occur more than once; city: spaces around values/);
  expect(
    await all.sh("web-scraping", "cat /workspace/outputs/items.csv /workspace/outputs/table-1.csv"),
  ).toBe(
    "id,name,price,url\n7,Tea pot,24.5,https://shop.example/p/7\n9,Cup,6.0,https://shop.example/p/9\nSize,Stock\nS,4\nM,0",
  );
  const redGreen = "cd slug && python3 /skills/test-driven-development/scripts/red_green.py";
  expect(await all.sh("test-driven-development", `${redGreen} slug.py`, 60_000)).toBe(
    "red without, green with: good",
  );
  await all.sh("test-driven-development", "cd slug && echo > unrelated.py");
  expect(await all.sh("test-driven-development", `${redGreen} unrelated.py`, 60_000)).toMatch(
    /pass without this code/,
  );
});

test("skills are read-only and the same for everybody", async () => {
  expect(
    await all.sh("somebody", "ls /skills; touch /skills/x /tools/x 2>&1 | grep -c 'Read-only file system'"),
  ).toBe(`${skills.join("\n")}\n2`);
});

function documentsOf(name: string): string[] {
  return readdirSync(path.join(folder, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .sort();
}

function scriptsOf(name: string): string[] {
  const scripts = path.join(folder, name, "scripts");
  return existsSync(scripts) ? readdirSync(scripts).map((script) => `scripts/${script}`) : [];
}
