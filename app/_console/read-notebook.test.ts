import { expect, test } from "vitest";
import { toNotebook } from "#lib/console/export-console.ts";
import { newCell } from "./document.ts";
import { readNotebook } from "./read-notebook.ts";

const notebook = (cells: unknown, metadata: unknown = {}) =>
  JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells });

test("a console survives the way out and back in", () => {
  const cells = [
    newCell("text", "# Sales\n\nby month"),
    newCell("python", "x = 1\nprint('ü🦀')\n"),
    newCell("bash", "ls -l\necho done"),
    newCell("python", ""),
  ];
  const file = toNotebook(cells, () => undefined);
  const back = readNotebook(file, "Sales.ipynb");
  expect(back.name).toBe("Sales");
  expect(back.cells.map(({ kind, code }) => ({ kind, code }))).toEqual(
    cells.map(({ kind, code }) => ({ kind, code })),
  );
});

test("what its runs printed and drew goes out as outputs", () => {
  const cell = newCell("python", "1");
  const output = { stdout: "a\nb\n", stderr: "", results: [{ mime: "image/png", data: "AAAA" }] };
  const [written] = JSON.parse(toNotebook([cell], () => output)).cells;
  expect(written.outputs).toEqual([
    { output_type: "stream", name: "stdout", text: ["a\n", "b\n"] },
    { output_type: "display_data", metadata: {}, data: { "image/png": "AAAA" } },
  ]);
});

test("Jupyter's two ways to write a text are read, and so is a bash magic", () => {
  const cells = [
    { cell_type: "code", source: ["a\n", "b"], outputs: [{ nonsense: true }] },
    { cell_type: "code", source: "%%bash\nls" },
    { cell_type: "raw", source: "note" },
    { cell_type: "code", source: { not: "text" } },
  ];
  expect(readNotebook(notebook(cells), "x.ipynb").cells.map(({ kind, code }) => [kind, code])).toEqual([
    ["python", "a\nb"],
    ["bash", "ls"],
    ["text", "note"],
    ["python", ""],
  ]);
});

test.each([
  ["", "isn't even JSON"],
  ["{", "isn't even JSON"],
  ["[]", "not a Jupyter notebook"],
  ["null", "not a Jupyter notebook"],
  ['{"worksheets": []}', "not a Jupyter notebook"],
  [notebook([{ cell_type: 1 }]), "not a Jupyter notebook"],
  [notebook([], { kernelspec: { language: "R" } }), "written in r"],
  [notebook(Array(501).fill({ cell_type: "code", source: "1" })), "up to 500 cells"],
  [notebook([{ cell_type: "code", source: "x".repeat(200_000) }]), "up to 128 KB"],
  [notebook(Array(30).fill({ cell_type: "code", source: "x".repeat(100_000) })), "up to 2 MB"],
])("a file that can't be a console is refused with a sentence: %#", (file, sentence) => {
  expect(() => readNotebook(file, "x.ipynb")).toThrow(sentence);
});

test("an empty notebook has an empty cell, and a name that says nothing gets one", () => {
  const { name, cells } = readNotebook(notebook([]), "\u0000.ipynb");
  expect(name).toBe("Notebook");
  expect(cells).toHaveLength(1);
});
