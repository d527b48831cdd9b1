import { expect, test } from "vitest";
import { loadLanguage } from "./load-language.ts";

test("a language is loaded once", () => {
  expect(loadLanguage("python")).toBe(loadLanguage("python"));
});

test("one that an editor doesn't know is plain text", async () => {
  expect(await loadLanguage("rust")).toEqual([]);
  expect(await loadLanguage(undefined)).toEqual([]);
});
