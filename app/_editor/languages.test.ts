import { expect, test } from "vitest";
import { languageOf, loadLanguage } from "./languages.ts";

test("a file's ending tells its language", () => {
  expect(languageOf("plot.py")).toBe("python");
  expect(languageOf("a/b.c/RUN.SH")).toBe("bash");
  expect(languageOf("SKILL.md")).toBe("markdown");
});

test("an ending nobody knows is plain text, whatever it is called", () => {
  for (const name of ["notes", "a.b/c", ".py/x", "x.constructor", "x.__proto__", ""]) {
    expect(languageOf(name)).toBe("plain");
  }
});

test("a language is loaded once", () => {
  expect(loadLanguage("python")).toBe(loadLanguage("python"));
});
