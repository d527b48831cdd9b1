import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { type ExportedCall, stepsOf } from "./exported-call.ts";
import { toNotebook } from "./notebook.ts";
import { toPython } from "./python.ts";
import { toShell } from "./shell.ts";

const NASTY = 'it\'s "quoted"\n$HOME `id` \\n \u{1F30A} \u0007\nEND\n';

function call(tool: string, given: object): ExportedCall {
  return {
    about: `2026-11-16 12:00 ${tool}`,
    steps: stepsOf("id-1", tool, { ...given }),
    output: { stdout: "out\nmore", stderr: "", results: [{ mime: "text/plain", text: "42" }] },
  };
}

const calls = [
  call("write_file", { file_path: "deep/a file.txt", content: NASTY }),
  call("execute_python", { code: "text = '''\nEND\n'''\nprint(len(text))" }),
  call("execute_bash", { command: "cat 'deep/a file.txt'; exit 3" }),
  call("execute_bash", { command: "pwd", cwd: "deep" }),
  call("edit_file", { file_path: "x", old_text: "a", new_text: "b" }),
  call("initialize_code_file", { filename: "two", content: "print('one')\n" }),
  call("append_to_code_file", { file_path: "/workspace/code/two.py", content: "print('two')\n" }),
  call("execute_code_file", { file_path: "/workspace/code/two.py" }),
  call("execute_code", { code: "import sys\nprint(sys.argv[0])" }),
];
const PRINTED = "one\ntwo\ncode/code-id-1.py\n";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "cove-"));
  folders.push(folder);
  return folder;
}

test("a shell script does what was done, a command that exits included", () => {
  const folder = emptyFolder();
  const output = execFileSync("bash", { cwd: folder, input: toShell(calls), encoding: "utf8" });
  expect(readFileSync(path.join(folder, "deep/a file.txt"), "utf8")).toBe(NASTY);
  expect(output).toBe(`5\n${NASTY}${path.join(folder, "deep")}\n${PRINTED}`);
});

test("a Python program does what was done", () => {
  const folder = emptyFolder();
  const output = execFileSync("python3", ["-"], { cwd: folder, input: toPython(calls), encoding: "utf8" });
  expect(output).toContain(PRINTED);
  expect(readFileSync(path.join(folder, "deep/a file.txt"), "utf8")).toBe(NASTY);
});

test("a notebook has a cell for each, with the output it had", () => {
  const notebook = JSON.parse(toNotebook(calls));
  expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5 });
  expect(notebook.cells).toHaveLength(10);
  expect(notebook.cells[2].source[0]).toBe("%%bash\n");
  expect(notebook.cells[9]).toMatchObject({
    source: ["%%bash\n", "python3 -- 'code/code-id-1.py'"],
    outputs: [{ name: "stdout" }, { output_type: "display_data" }],
  });
  expect(notebook.cells[8].outputs).toEqual([]);
  expect(notebook.cells[1].outputs).toEqual([
    { output_type: "stream", name: "stdout", text: ["out\n", "more"] },
    { output_type: "display_data", metadata: {}, data: { "text/plain": ["42"] } },
  ]);
});

test("what isn't as a tool takes it is left out with a word, not guessed at", () => {
  expect(stepsOf("id", "execute_bash", { command: 1 })).toEqual([{ kind: "other", tool: "execute_bash" }]);
  expect(stepsOf("id", "constructor", {})).toEqual([{ kind: "other", tool: "constructor" }]);
  expect(stepsOf("id", "write_file", { file_path: "/workspace/empty", content: "" })).toEqual([
    { kind: "file", path: "empty", content: "", append: false },
  ]);
});
