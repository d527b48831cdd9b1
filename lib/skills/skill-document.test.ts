import { describe, expect, test } from "vitest";
import { checkSkillText } from "./check-skill.ts";
import { readSkillDocument } from "./skill-document.ts";

const GOOD = `---
name: sales-report
description: Monthly sales. Use when somebody asks for figures.
license: MIT
compatibility: Needs pandas
allowed-tools: execute_python read_file
metadata:
  version: 1.10
  dependencies: pandas>=2, openpyxl
  author: ada
---

# Sales report

Read the file.
`;

test("a skill by the standard is read to the letter, and valid", () => {
  const document = readSkillDocument(GOOD, "sales-report");
  expect(document).toEqual({
    name: "sales-report",
    description: "Monthly sales. Use when somebody asks for figures.",
    license: "MIT",
    compatibility: "Needs pandas",
    version: "1.10",
    dependencies: ["pandas>=2", "openpyxl"],
    allowedTools: ["execute_python", "read_file"],
    metadata: new Map([
      ["version", "1.10"],
      ["dependencies", "pandas>=2, openpyxl"],
      ["author", "ada"],
    ]),
    body: "\n# Sales report\n\nRead the file.\n",
    violations: [],
  });
  expect(checkSkillText("sales-report", GOOD)).toEqual({ valid: true, problems: [], advice: [] });
});

describe("others' skills are read with a warning where an author would be refused:", () => {
  test.each([
    ["another name than the folder's", "name: other\ndescription: d", /not the folder's/],
    ["no name", "description: d", /name is missing/],
    ["a name in capitals", "name: Sales\ndescription: d", /is not allowed/],
    ["a name with two hyphens in a row", "name: a--b\ndescription: d", /is not allowed/],
    ["a name that escapes its folder", "name: ../../etc\ndescription: d", /is not allowed/],
    [
      "version on top",
      "name: x\nversion: 2\ndescription: d",
      /“version” is not in the standard; it belongs in metadata/,
    ],
    [
      "dependencies on top",
      "name: x\ndescription: d\ndependencies: [a, b]",
      /“dependencies” is not in the standard/,
    ],
    ["fields of somebody's own", "name: x\ndescription: d\nmodel: y", /“model” is not in the standard/],
    ["a colon in a value", "name: x\ndescription: Use when: asked", /has to be quoted/],
    ["a list in metadata", "name: x\ndescription: d\nmetadata:\n  tags: [a]", /“tags” has to be text/],
    ["metadata that is no map", "name: x\ndescription: d\nmetadata: y", /has to be a map/],
    ["a long description", `name: x\ndescription: ${"d".repeat(1025)}`, /longer than 1024/],
    ["a long compatibility", `name: x\ndescription: d\ncompatibility: ${"c".repeat(501)}`, /longer than 500/],
    ["a name with spaces around it", 'name: " x "\ndescription: d', /“x” is not allowed/],
    ["a list of tools", "name: x\ndescription: d\nallowed-tools: [a, b]", /allowed-tools has to be text/],
    ["a map of tools", "name: x\ndescription: d\nallowed-tools: {a: b}", /allowed-tools has to be text/],
    ["tools with commas", "name: x\ndescription: d\nallowed-tools: a, b", /allowed-tools has to be text/],
    ["a license that is no text", "name: x\ndescription: d\nlicense: [MIT]", /license has to be text/],
  ])("%s", (_what, yaml, warning) => {
    const text = `---\n${yaml}\n---\nDo it.\n`;
    const document = readSkillDocument(text, "x");
    expect(document.name).toBe("x");
    expect(document.description.length).toBeLessThanOrEqual(1024);
    expect(document.violations).toEqual([expect.stringMatching(warning)]);
    expect(checkSkillText("x", text)).toMatchObject({ valid: false, problems: document.violations });
  });

  test("tools are found however they are listed", () => {
    const tools = (yaml: string) =>
      readSkillDocument(`---\nname: x\ndescription: d\nallowed-tools: ${yaml}\n---\n`, "x").allowedTools;
    for (const yaml of ["a b", "a, b", "[a, b]", "\n  - a\n  - b"]) expect(tools(yaml)).toEqual(["a", "b"]);
  });

  test("a length is counted in characters, not in the units that hold them", () => {
    const description = (text: string) => readSkillDocument(`---\nname: x\ndescription: ${text}\n---\n`, "x");
    expect(description("🦊".repeat(1024))).toMatchObject({
      description: "🦊".repeat(1024),
      violations: [],
    });
    expect(description("🦊".repeat(1025))).toMatchObject({
      description: `${"🦊".repeat(1023)}…`,
      violations: [expect.stringMatching(/longer than 1024/)],
    });
  });

  test("version and dependencies are found wherever they stand", () => {
    const found = (yaml: string) => {
      const { version, dependencies } = readSkillDocument(
        `---\nname: x\ndescription: d\n${yaml}\n---\n`,
        "x",
      );
      return [version, dependencies];
    };
    expect(found("version: 2.0\ndependencies: python>=3.8, pandas")).toEqual([
      "2.0",
      ["python>=3.8", "pandas"],
    ]);
    expect(found("dependencies:\n  - a\n  - b")).toEqual([undefined, ["a", "b"]]);
    expect(found("metadata: {version: '3', dependencies: [c]}")).toEqual(["3", ["c"]]);
  });

  test("line ends of Windows, a byte order mark and control characters don't matter", () => {
    const text = '\uFEFF---\r\nname: x\r\ndescription: "a\\0b\\x1b[31m\\ud800\\nc"\r\n---\r\nBody\r\n';
    const { description, body } = readSkillDocument(text, "x");
    expect([description, body]).toEqual(["a b [31m\uFFFD c", "Body\n"]);
  });
});

describe("what can't be a skill says why:", () => {
  test.each([
    ["no front matter", "# Hello", /does not begin with front matter/],
    ["front matter without an end", "---\nname: x\n", /not closed/],
    ["front matter without an end in a huge file", `---\n${"x: y\n".repeat(20_000)}`, /longer than 8 kB/],
    ["broken YAML", "---\nname: [x\ndescription: d\n---\n", /not plain YAML/],
    ["a key twice", "---\nname: x\nname: y\ndescription: d\n---\n", /not plain YAML/],
    ["no description", "---\nname: x\n---\n", /description is missing/],
    ["an empty description", "---\nname: x\ndescription: '  '\n---\n", /description is missing/],
    ["a description that is no text", "---\nname: x\ndescription: {a: b}\n---\n", /description is missing/],
    ["a list", "---\n- x\n---\n", /holds no fields/],
    [
      "a bomb of aliases",
      `---\na: &a [x,x]\nb: &b [*a,*a]\nname: *b\ndescription: d\n---\n`,
      /not plain YAML/,
    ],
    ["a tag", "---\nname: !!js/function 'x'\ndescription: d\n---\n", /not plain YAML/],
    ["an abyss of lists", `---\nname:\n${"- ".repeat(3_000)}x\ndescription: d\n---\n`, /not plain YAML/],
    ["an abyss of maps", `---\nname: ${"a: ".repeat(2_000)}x\ndescription: d\n---\n`, /not plain YAML/],
    ["an abyss", `---\nname: ${"[".repeat(7_000)}\ndescription: d\n---\n`, /not plain YAML/],
  ])("%s", (_what, text, reason) => {
    expect(() => readSkillDocument(text, "x")).toThrow(reason);
    expect(checkSkillText("x", text)).toMatchObject({
      valid: false,
      problems: [expect.stringMatching(reason)],
    });
  });

  test.each([
    "",
    "..",
    "../x",
    "a/b",
    "A",
    "a_b",
    "-a",
    "a-",
    "a--b",
    "é",
    "x".repeat(65),
    "__proto__",
    "a\n",
  ])("the folder %j", (folder) => {
    expect(() => readSkillDocument(GOOD, folder)).toThrow(/can't be its name|has no name yet/);
  });
});

test("keys of objects are no danger", () => {
  const text = "---\nname: x\ndescription: d\nmetadata:\n  __proto__: y\n  constructor: z\n---\nBody\n";
  expect(readSkillDocument(text, "x").metadata).toEqual(
    new Map([
      ["__proto__", "y"],
      ["constructor", "z"],
    ]),
  );
  expect({}).not.toHaveProperty("y");
});

test("an author is told about missing files, missing instructions and too long ones", () => {
  const head = "---\nname: x\ndescription: d\n---\n";
  expect(checkSkillText("x", head).problems).toEqual(["There are no instructions below the front matter."]);
  const file = { path: "scripts/a.py", size: 1, regular: true, executable: false };
  expect(checkSkillText("x", `${head}Run scripts/a.py, see references/b.md.`, [file]).advice).toEqual([
    "references/b.md is mentioned, but not there.",
  ]);
  expect(checkSkillText("x", head + "line\n".repeat(600)).advice).toEqual([
    expect.stringMatching(/601 lines/),
  ]);
  expect(checkSkillText("x", head + "x".repeat(300_000)).problems).toEqual([
    "SKILL.md is larger than 256 kB.",
  ]);
});
