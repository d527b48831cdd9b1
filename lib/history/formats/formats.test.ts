import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { type ExportedCall, stepOf } from "./exported-call.ts";
import { toNotebook } from "./notebook.ts";
import { toPython } from "./python.ts";
import { toShell } from "./shell.ts";

const NASTY = 'it\'s "quoted"\n$HOME `id` \\n \u{1F30A} \u0007\nEND\n';

function call(tool: string, given: object): ExportedCall {
  return {
    about: `2026-11-16 12:00 ${tool}`,
    step: stepOf(tool, JSON.stringify(given)),
    output: { stdout: "out\nmore", stderr: "", results: [{ mime: "text/plain", text: "42" }] },
  };
}

const calls = [
  call("write_file", { file_path: "deep/a file.txt", content: NASTY }),
  call("execute_python", { code: "text = '''\nEND\n'''\nprint(len(text))" }),
  call("execute_bash", { command: "cat 'deep/a file.txt'; exit 3" }),
  call("execute_bash", { command: "pwd", cwd: "deep" }),
  call("edit_file", { file_path: "x", old_text: "a", new_text: "b" }),
];

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
  expect(output).toBe(`5\n${NASTY}${path.join(folder, "deep")}\n`);
});

test("a Python program does what was done", () => {
  const folder = emptyFolder();
  execFileSync("mkdir", [path.join(folder, "deep")]);
  execFileSync("python3", ["-"], { cwd: folder, input: toPython(calls), encoding: "utf8" });
  expect(readFileSync(path.join(folder, "deep/a file.txt"), "utf8")).toBe(NASTY);
});

test("a notebook has a cell for each, with the output it had", () => {
  const notebook = JSON.parse(toNotebook(calls));
  expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5 });
  expect(notebook.cells).toHaveLength(5);
  expect(notebook.cells[2].source[0]).toBe("%%bash\n");
  expect(notebook.cells[1].outputs).toEqual([
    { output_type: "stream", name: "stdout", text: ["out\n", "more"] },
    { output_type: "display_data", metadata: {}, data: { "text/plain": ["42"] } },
  ]);
});

test("what isn't as a tool takes it is left out with a word, not guessed at", () => {
  expect(stepOf("execute_bash", "not json")).toMatchObject({ kind: "other" });
  expect(stepOf("constructor", "{}")).toMatchObject({ kind: "other" });
});
