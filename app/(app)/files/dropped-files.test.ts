import { expect, test } from "vitest";
import { droppedFiles, MOST_FILES } from "./dropped-files.ts";

test("folders come with everything in them, and what can't be read is named rather than lost with the rest", async () => {
  const inner = folder("inner", [file("deep.txt")]);
  const given = [
    file("a.txt"),
    folder("d", [file("b.txt"), unreadable("locked"), inner]),
    unreadable("gone"),
  ];
  const { files, missed } = await droppedFiles(transfer(given));
  expect(files.map(({ name }) => name)).toEqual(["a.txt", "d/b.txt", "d/inner/deep.txt"]);
  expect(missed).toEqual(["d/locked could not be read.", "gone could not be read."]);
});

test("more than fit are cut, and that is said once", async () => {
  const many = Array.from({ length: MOST_FILES + 50 }, (_, n) => file(`${n}`));
  const { files, missed } = await droppedFiles(transfer([folder("many", many), file("after")]));
  expect(files).toHaveLength(MOST_FILES);
  expect(missed).toEqual([
    "Only the first 5,000 files were taken; many/5000 and what comes after it were not.",
  ]);
});

function transfer(entries: FileSystemEntry[]): Pick<DataTransfer, "items" | "files"> {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return { items, files: [] } as unknown as DataTransfer;
}

function file(name: string): FileSystemEntry {
  const entry = { isFile: true, name, file: (done: (file: File) => void) => done(new File([], name)) };
  return entry as unknown as FileSystemEntry;
}

function unreadable(name: string): FileSystemEntry {
  const entry = {
    isFile: true,
    name,
    file: (_: unknown, fail: (error: Error) => void) => fail(new Error("no")),
  };
  return entry as unknown as FileSystemEntry;
}

function folder(name: string, entries: FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    // A browser gives a hundred at a time, and nothing at the end.
    const parts = Array.from({ length: Math.ceil(entries.length / 100) }, (_, n) =>
      entries.slice(n * 100, (n + 1) * 100),
    );
    return { readEntries: (done: (some: FileSystemEntry[]) => void) => done(parts.shift() ?? []) };
  };
  return { isFile: false, name, createReader } as unknown as FileSystemEntry;
}
