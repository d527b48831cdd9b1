import { expect, test } from "vitest";
import { presentations } from "#mcp/tools/catalogue.ts";
import { toolView } from "./tool-view.ts";

test.each([
  [
    "execute_python",
    { code: "1 + 1", session: "default" },
    { title: "Python", code: "1 + 1", language: "python" },
  ],
  ["execute_bash", { command: "ls" }, { title: "Bash", code: "ls", language: "bash" }],
  ["write_file", { file_path: "a/b.py", content: "x" }, { subject: "a/b.py", code: "x", language: "python" }],
  [
    "edit_file",
    { file_path: "b.md", old_text: "a\nb", new_text: "c" },
    { code: "- a\n- b\n+ c", language: "diff" },
  ],
  ["install_dependencies", { packages: ["rich", "tqdm"] }, { code: "pip install rich tqdm" }],
  ["read_file", { file_path: "b.txt" }, { title: "Read", subject: "b.txt", major: false }],
])("%s is shown as what it does", (name, input, expected) => {
  expect(toolView(presentations(), name, input)).toMatchObject(expected);
});

test("a call whose arguments are missing, half written or nonsense still has a title", () => {
  for (const input of [undefined, null, "text", [], { code: 5, packages: "x", file_path: {} }]) {
    for (const name of ["execute_python", "write_file", "edit_file", "install_dependencies", "read_skill"]) {
      expect(toolView(presentations(), name, input).title).toMatch(/\w/);
    }
  }
});

test("a tool nobody knows is shown by its name, whatever that is", () => {
  expect(toolView(presentations(), "constructor", { a: 1 })).toMatchObject({
    title: "constructor",
    code: '{\n  "a": 1\n}',
  });
});
