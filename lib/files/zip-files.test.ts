import { expect, test } from "vitest";
import { zipNames } from "./zip-files.ts";

test("an ordinary path stays as it is", () => {
  expect(zipNames()("data/2026 Übersicht.csv")).toBe("data/2026 Übersicht.csv");
});

test("what a system could misread is replaced, and two names that become one are told apart", () => {
  const nameOf = zipNames();
  expect(nameOf("a\\b.txt")).toBe("a_b.txt");
  expect(nameOf("a\nb.txt")).toBe("a_b (2).txt");
  expect(nameOf("a\udcffb.txt")).toBe("a_b (3).txt");
  expect(nameOf("\u202egpj.exe")).toBe("_gpj.exe");
});
