// What somebody types into a console, and everything that can be done to it.
import type { Cell, Content } from "#lib/console/content.ts";

export type { Cell, Content };
export type CellKind = Cell["kind"];

export type Change =
  | { do: "edit"; id: string; code: string }
  | { do: "turn into"; id: string; kind: CellKind }
  /** After this cell, or before all. */
  | { do: "add"; cell: Cell; after: string | undefined }
  | { do: "put back"; cell: Cell; at: number }
  | { do: "move"; id: string; by: -1 | 1 }
  | { do: "remove"; id: string }
  | { do: "rename"; name: string }
  | { do: "use session"; session: string }
  | { do: "replace"; content: Content };

export function changed(content: Content, change: Change): Content {
  switch (change.do) {
    case "rename":
      return { ...content, name: change.name };
    case "use session":
      return { ...content, session: change.session };
    case "replace":
      return change.content;
    default:
      return { ...content, cells: changedCells(content.cells, change) };
  }
}

type CellChange = Exclude<Change, { do: "rename" | "use session" | "replace" }>;

function changedCells(cells: Cell[], change: CellChange): Cell[] {
  switch (change.do) {
    case "edit":
      return cells.map((cell) => (cell.id === change.id ? { ...cell, code: change.code } : cell));
    case "turn into":
      return cells.map((cell) => (cell.id === change.id ? { ...cell, kind: change.kind } : cell));
    case "add":
      return cells.toSpliced(placeOf(cells, change.after) + 1, 0, change.cell);
    case "put back":
      return cells.toSpliced(change.at, 0, change.cell);
    case "remove":
      return cells.filter(({ id }) => id !== change.id);
    case "move": {
      const from = placeOf(cells, change.id);
      const to = from + change.by;
      const cell = cells[from];
      if (!cell || to < 0 || to >= cells.length) return cells;
      return cells.toSpliced(from, 1).toSpliced(to, 0, cell);
    }
  }
}

export function newCell(kind: CellKind = "python", code = ""): Cell {
  return { id: crypto.randomUUID(), kind, code };
}

export function placeOf(cells: Cell[], id: string | undefined): number {
  return cells.findIndex((cell) => cell.id === id);
}
