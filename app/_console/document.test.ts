import { expect, test } from "vitest";
import { type Cell, type Change, changed } from "./document.ts";

const cell = (id: string): Cell => ({ id, kind: "python", code: id });
const content = { name: "Console", session: "default", cells: [cell("a"), cell("b"), cell("c")] };
const after = (change: Change) =>
  changed(content, change)
    .cells.map(({ id }) => id)
    .join("");

test("cells are added after another or in front, moved, removed and put back where they were", () => {
  expect(after({ do: "add", cell: cell("x"), after: "a" })).toBe("axbc");
  expect(after({ do: "add", cell: cell("x"), after: undefined })).toBe("xabc");
  expect(after({ do: "move", id: "b", by: 1 })).toBe("acb");
  expect(after({ do: "move", id: "b", by: -1 })).toBe("bac");
  expect(after({ do: "remove", id: "b" })).toBe("ac");
  expect(after({ do: "put back", cell: cell("x"), at: 1 })).toBe("axbc");
});

test("a cell at the edge stays there", () => {
  expect(after({ do: "move", id: "a", by: -1 })).toBe("abc");
  expect(after({ do: "move", id: "c", by: 1 })).toBe("abc");
});

test("editing one cell leaves the others as they are, so that they are not drawn again", () => {
  const edited = changed(content, { do: "edit", id: "b", code: "new" });
  expect(edited.cells[1]).toEqual({ id: "b", kind: "python", code: "new" });
  expect(edited.cells[0]).toBe(content.cells[0]);
});
