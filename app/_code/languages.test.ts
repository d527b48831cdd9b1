import { expect, test } from "vitest";
import { languageOfFile } from "./languages.ts";

test("a file's ending tells its language", () => {
  expect(languageOfFile("plot.py")).toBe("python");
  expect(languageOfFile("a/b.c/RUN.SH")).toBe("bash");
  expect(languageOfFile("SKILL.md")).toBe("markdown");
  expect(languageOfFile("src/Makefile")).toBe("make");
});

test("an ending nobody knows is plain text, whatever it is called", () => {
  for (const name of ["notes", "a.b/c", ".py/x", "x.constructor", "x.__proto__", ""]) {
    expect(languageOfFile(name)).toBeUndefined();
  }
});
