// Skills through every door that shows them: REST, MCP's tools, resources and prompt. One list behind all.
import { mkdtempSync, readdirSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { switchSkill } from "#db/queries/skills.ts";
import { findUserByEmail } from "#db/queries/users.ts";
import { type Caller, callerWith, ownCove } from "../support/caller.ts";
import { root } from "../support/cove.ts";
import { startModelServer } from "../support/model-server.ts";
import { addToken, databaseOf } from "../support/people.ts";
import { type SkillDoors, skillDoors } from "../support/skills.ts";
import { newWebPerson, textOf, type WebPerson } from "../support/web-person.ts";
import { skillMd } from "../support/zips.ts";

const operators = mkdtempSync(path.join(tmpdir(), "cove-test-skills-"));
const model = await startModelServer();
const own = ownCove({
  COVE_SKILLS_DIR: operators,
  OPENAI_BASE_URL: model.openai,
  OPENAI_API_KEY: model.key,
  COVE_MODEL: "local/echo",
});
const builtIn = readdirSync(path.join(root, "skills")).sort();

let person: WebPerson;
let ada: Caller;
let doors: SkillDoors;
beforeAll(async () => {
  person = await newWebPerson(own.cove);
  ada = callerWith(own.cove.url, person.email, await addToken(own.cove.dataDir, person.id));
  doors = await skillDoors(own.cove.url, ada);
});
afterAll(async () => {
  await doors?.close();
  await model.close();
  await rm(operators, { recursive: true, force: true });
});

const bash = async (command: string, caller = ada) =>
  (await caller.execute("execute_bash", { command })).body;
const everywhere = (names: string[]) => {
  const sorted = [...names].sort();
  return { rest: sorted, tool: sorted, resources: sorted, prompt: sorted };
};
const write = (name: string, text: string, caller = ada) =>
  caller.execute("write_file", { file_path: `/workspace/.agents/skills/${name}/SKILL.md`, content: text });

describe("the built-in skills", () => {
  test("are the same at every door, with what they need", async () => {
    expect(await doors.names()).toEqual(everywhere(builtIn));
    const { body } = await doors.get();
    expect(body.skills.find(({ name }: { name: string }) => name === "data-analysis")).toEqual({
      name: "data-analysis",
      description: expect.stringMatching(/^From a CSV/),
      version: "1.0",
      dependencies: ["pandas", "openpyxl"],
      license: "MIT",
      compatibility: null,
      allowed_tools: [],
      source: "built-in",
      warnings: [],
      path: "/skills/data-analysis/SKILL.md",
    });
    expect(await doors.prompt()).toContain("- tools.read_table(path: str | Path");
  });

  test("are read as a route, a tool, a resource and a file, all the same", async () => {
    const { body } = await doors.get("/symbolic-computation");
    expect(body).toMatchObject({
      name: "symbolic-computation",
      body: expect.stringMatching(/^\n# Symbolic computation/),
    });
    const tool = await doors.mcp.callTool({
      name: "read_skill",
      arguments: { name: "symbolic-computation" },
    });
    const resource = await doors.mcp.readResource({ uri: "skill://symbolic-computation/SKILL.md" });
    const file = await bash("cat /skills/symbolic-computation/SKILL.md");
    expect(tool.content).toEqual([{ type: "text", text: body.content }]);
    expect(resource.contents).toMatchObject([{ mimeType: "text/markdown", text: body.content }]);
    expect(file.stdout).toBe(body.content);
    const part = { name: "symbolic-computation", path: "references/simplify.md" };
    const { body: reference } = await ada.execute("read_skill", part);
    expect(reference).toMatchObject({ path: "/skills/symbolic-computation/references/simplify.md" });
    expect(reference.content).toMatch(/^# Simplification/);
  });

  test("cost nobody a sandbox: neither prompt nor list opens one", async () => {
    const bob = await own.caller();
    const his = await skillDoors(own.cove.url, bob);
    await his.prompt();
    await his.get();
    await his.get("/data-analysis");
    await his.mcp.readResource({ uri: "skill://data-analysis/SKILL.md" });
    await his.close();
    expect(await sandboxesOf(bob)).toBe(0);
    expect(await sandboxesOf(ada)).toBe(1);
  });

  test("one that the operator drops in is offered without a restart, in sandboxes that run, too", async () => {
    await mkdir(path.join(operators, "house-rules"), { recursive: true });
    await writeFile(path.join(operators, "house-rules", "SKILL.md"), skillMd("house-rules"));
    await mkdir(path.join(operators, "broken"));
    await writeFile(path.join(operators, "broken", "SKILL.md"), "no front matter");
    await expect
      .poll(() => doors.names(), { timeout: 30_000 })
      .toEqual(everywhere([...builtIn, "house-rules"]));
    await expect
      .poll(async () => (await bash("cat /skills/house-rules/SKILL.md")).stdout, {
        timeout: 60_000,
        interval: 1000,
      })
      .toBe(skillMd("house-rules"));
    await rm(path.join(operators, "house-rules"), { recursive: true });
    await expect.poll(() => doors.names(), { timeout: 30_000 }).toEqual(everywhere(builtIn));
  });
});

describe("a user's own skill", () => {
  test("is offered as soon as code has written it, to that user alone, and gone with its folder", async () => {
    const bob = await own.caller();
    const his = await skillDoors(own.cove.url, bob);
    await bash(
      "mkdir -p .agents/skills/tea/scripts && printf -- '---\\nname: tea\\ndescription: Making tea\\nversion: 2\\n---\\nBoil.\\n' > .agents/skills/tea/Skill.md; exit 3",
    );
    expect(await doors.names()).toEqual(everywhere([...builtIn, "tea"]));
    expect((await doors.get("/tea")).body).toMatchObject({
      source: "own",
      version: "2",
      body: "Boil.\n",
      path: "/workspace/.agents/skills/tea/Skill.md",
      warnings: [expect.stringMatching(/belongs in metadata/)],
    });
    expect(await doors.mcp.readResource({ uri: "skill://tea/SKILL.md" })).toMatchObject({
      contents: [{ text: expect.stringMatching(/Boil/) }],
    });
    expect(await his.names()).toEqual(everywhere(builtIn));
    expect((await his.get("/tea")).status).toBe(404);
    await his.close();

    await ada.execute("execute_python", {
      code: "import shutil; shutil.rmtree('/workspace/.agents/skills/tea')",
    });
    expect(await doors.names()).toEqual(everywhere(builtIn));
  });

  test("stands before a built-in one, until it breaks", async () => {
    await write("data-analysis", skillMd("data-analysis", "Our way"));
    expect((await doors.get("/data-analysis")).body).toMatchObject({ description: "Our way", source: "own" });
    expect(await doors.names()).toEqual(everywhere(builtIn));
    const edit = {
      file_path: ".agents/skills/data-analysis/SKILL.md",
      old_text: "Our way",
      new_text: "Our new way",
    };
    await ada.execute("edit_file", edit);
    expect(await doors.prompt()).toContain(
      "- data-analysis (/workspace/.agents/skills/data-analysis/SKILL.md): Our new way",
    );
    await write("data-analysis", "---\nname: [\n---\n");
    expect((await doors.get("/data-analysis")).body).toMatchObject({ source: "built-in" });
    await bash("rm -r .agents/skills/data-analysis");
  });

  test("that something breaks behind our back is said to be broken", async () => {
    await write("tea", skillMd("tea"));
    // It goes on after its run has ended, so nobody looks when it is done.
    await bash("(sleep 1; echo broken > .agents/skills/tea/SKILL.md) > /dev/null 2>&1 &");
    const broken = async () => {
      const { body } = await ada.execute("read_file", { file_path: ".agents/skills/tea/SKILL.md" });
      return body.content;
    };
    await expect.poll(broken, { timeout: 30_000 }).toBe("broken");
    expect(await doors.get("/tea")).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringMatching(/is broken.*does not begin with front matter/) } },
    });
    await bash("rm -r .agents/skills/tea");
  });

  test("beyond a thousand is not offered, and the page says so", async () => {
    await bash(
      "mkdir -p .agents/skills && cd .agents/skills && seq -f 's%04g' 1001 | xargs mkdir && echo x > s1001/SKILL.md",
    );
    await doors.names();
    const page = await (await person.send("/skills")).text();
    expect(page).toContain("Only 1000 folders are looked at: what comes after “s1000” is not offered.");
    await bash("rm -r .agents/skills");
  });

  test("written by a run in the background is noticed when that ends", async () => {
    const text = skillMd("late").replaceAll("\n", "\\n").replaceAll('"', '\\"');
    await ada.execute("execute_bash", {
      command: `sleep 1; mkdir -p .agents/skills/late; printf "%b" "${text}" > .agents/skills/late/SKILL.md`,
      background: true,
    });
    await expect.poll(() => doors.names(), { timeout: 60_000 }).toEqual(everywhere([...builtIn, "late"]));
    await bash("rm -r .agents/skills/late");
  });

  test("that is switched off is in no prompt, tool, resource or route", async () => {
    await write("tea", skillMd("tea"));
    const { db } = await databaseOf(own.cove.dataDir);
    const user = await findUserByEmail(db, ada.email);
    for (const name of ["tea", "web-scraping"]) await switchSkill(db, user?.id ?? "", name, false);
    expect(await doors.names()).toEqual(everywhere(builtIn.filter((name) => name !== "web-scraping")));
    for (const name of ["tea", "web-scraping"]) {
      expect((await doors.get(`/${name}`)).status).toBe(404);
      expect((await ada.execute("read_skill", { name })).status).toBe(404);
      await expect(doors.mcp.readResource({ uri: `skill://${name}/SKILL.md` })).rejects.toThrow(
        /no such resource/,
      );
      expect(await doors.prompt()).not.toContain(`skills/${name}`);
    }
    for (const name of ["tea", "web-scraping"]) await switchSkill(db, user?.id ?? "", name, true);
    expect(await doors.names()).toEqual(everywhere([...builtIn, "tea"]));
    await bash("rm -r .agents/skills/tea");
  });
});

describe("the loop closes", () => {
  const call = (name: string, args: object) => ({ calls: [{ name, arguments: args }] });

  test("asked to integrate, the agent reads the skill before it uses SymPy", async () => {
    const code = "from sympy import *\nx = symbols('x')\nprint(integrate(x * exp(x), x))";
    model.script(
      "integrate",
      ({ system }) => {
        const fitting = /^- (\S+) \(\S+\): [^\n]*integrate/m.exec(system)?.[1];
        return fitting ? call("read_skill", { name: fitting }) : { text: "No skill fits." };
      },
      ({ results }) =>
        results[0]?.includes("integrate(x * exp(x), x)")
          ? call("execute_python", { code })
          : { text: "No example." },
      ({ results }) => ({ text: `It is ${results[1]?.trim()}` }),
    );
    const { answer } = await person.ask(await person.newChat(), "integrate x·eˣ", {
      model: "local/integrate",
    });
    expect(textOf(answer)).toBe("It is (x - 1)*exp(x)");
    const used = answer.parts.filter((part) => part.type === "dynamic-tool");
    expect(used.map(({ toolName }) => toolName)).toEqual(["read_skill", "execute_python"]);
  });

  test("a skill that the agent wrote is offered in its next turn, and an MCP client sees the same list", async () => {
    const file_path = "/workspace/.agents/skills/tea/SKILL.md";
    model.script("write", call("write_file", { file_path, content: skillMd("tea") }), { text: "Written." });
    model.script("look", { text: "Looked." });
    const chat = await person.newChat();
    const offered = () => {
      const section = /<skills>([\s\S]*?)<\/skills>/.exec(
        model.asked.findLast(({ tools }) => tools.length > 0)?.system ?? "",
      );
      return [...(section?.[1] ?? "").matchAll(/^- (\S+) \(/gm)].map((match) => match[1]);
    };
    await person.ask(chat, "Write a skill", { model: "local/write" });
    await person.ask(chat, "Which skills are there?", { model: "local/look" });
    expect(offered()).toEqual([...builtIn, "tea"].sort());
    expect(await doors.names()).toEqual(everywhere([...builtIn, "tea"]));
    await bash("rm -r .agents/skills/tea");
    await person.ask(chat, "And now?", { model: "local/look" });
    expect(offered()).toEqual(builtIn);
  });
});

describe("bad input", () => {
  test.each([
    ["an unknown name", { name: "nope" }, 404],
    ["a name that escapes", { name: "../tools" }, 404],
    ["a path that escapes", { name: "web-scraping", path: "../data-analysis/SKILL.md" }, 400],
    ["an absolute path", { name: "web-scraping", path: "/etc/passwd" }, 400],
    ["a file that isn't there", { name: "web-scraping", path: "references/none.md" }, 404],
    ["a folder", { name: "web-scraping", path: "scripts" }, 404],
    ["no name", {}, 400],
  ])("%s is refused", async (_what, args, status) => {
    expect((await ada.execute("read_skill", args)).status).toBe(status);
  });

  test.each(["/nope", "/..%2f..%2fetc", "/%00", `/${"x".repeat(500)}`])(
    "GET /skills%s is refused",
    async (address) => {
      expect((await doors.get(address)).status).toBeGreaterThanOrEqual(400);
      expect((await doors.get(address)).status).toBeLessThan(500);
    },
  );

  test("with a bad token it is a door, without one a page", async () => {
    for (const address of ["/skills", "/skills/data-analysis"]) {
      const url = `${own.cove.url}${address}`;
      const refused = await fetch(url, { headers: { authorization: "Bearer cove_no" } });
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain("Bearer");
      const page = await fetch(url, { redirect: "manual" });
      expect(page.status).toBe(307);
      expect(page.headers.get("location")).toBe(`/sign-in?next=${encodeURIComponent(address)}`);
    }
  });
});

async function sandboxesOf({ email }: Caller): Promise<number> {
  const { db } = await databaseOf(own.cove.dataDir);
  const user = await findUserByEmail(db, email);
  const { rows } = await db.execute(`select id from sandboxes where user_id = '${user?.id}'`);
  return rows.length;
}
