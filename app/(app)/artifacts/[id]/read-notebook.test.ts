import { expect, test } from "vitest";
import { readNotebook } from "./read-notebook.ts";

test("cells and outputs are read in their richest form", () => {
  const notebook = readNotebook(
    JSON.stringify({
      metadata: { language_info: { name: "python" } },
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "text"] },
        {
          cell_type: "code",
          source: "1 + 1",
          execution_count: 3,
          outputs: [
            { output_type: "stream", name: "stdout", text: ["a\n", "b"] },
            { output_type: "display_data", data: { "text/plain": "x", "image/png": "iVBO" } },
            { output_type: "error", traceback: ["Traceback", "ValueError"] },
          ],
        },
      ],
    }),
  );
  expect(notebook).toEqual({
    language: "python",
    cells: [
      { kind: "markdown", source: "# Title\ntext", count: null, outputs: [] },
      {
        kind: "code",
        source: "1 + 1",
        count: 3,
        outputs: [
          { stdout: "a\nb" },
          { result: { mime: "image/png", data: "iVBO" } },
          { stderr: "Traceback\nValueError" },
        ],
      },
    ],
  });
});

test.each(["", "{", "[]", '{"cells": 1}', "null"])("%j is no notebook", (text) => {
  expect(readNotebook(text)).toBeUndefined();
});

test("what doesn't fit is left out, and the rest is shown", () => {
  const text = JSON.stringify({
    cells: [
      7,
      null,
      {
        cell_type: "code",
        source: 1,
        outputs: [1, { output_type: "display_data", data: { "image/png": {} } }],
      },
    ],
  });
  expect(readNotebook(text)?.cells).toEqual([{ kind: "code", source: "", count: null, outputs: [] }]);
});
