import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ATTACKS, FAULTS } from "./promises.ts";

test("every promise about hostile code has its tests, under its number", () => {
  const numbered = describesIn("attacks").filter((title) => /^\d+\. /.test(title));
  expect([...new Set(numbered)].sort(byNumber)).toEqual(
    ATTACKS.map((title, index) => `${index + 1}. ${title}`),
  );
});

test("every promise about faults has its tests", () => {
  const found = describesIn("faults");
  expect(FAULTS.filter((title) => !found.includes(title))).toEqual([]);
});

function describesIn(folder: string): string[] {
  const directory = path.join(import.meta.dirname, folder);
  return readdirSync(directory)
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(path.join(directory, file), "utf8").matchAll(/^describe\("([^"]+)"/gm),
    ])
    .map(([, title = ""]) => title);
}

function byNumber(one: string, other: string): number {
  return Number.parseInt(one, 10) - Number.parseInt(other, 10);
}
