import { expect, test } from "vitest";
import { searchableCall, searchableOutput, wordsOf } from "./searchable.ts";

test("a call is summed up by its first line, and found by the words of all of it", () => {
  const code = "\n  import pandas as pd\npd.read_csv('Größe.csv')";
  expect(searchableCall("execute_python", { code, session: "work", timeout: 30 })).toEqual({
    summary: "import pandas as pd",
    words: ["import", "pandas", "as", "pd", "read", "csv", "größe", "work"],
  });
  expect(searchableCall("install_dependencies", { packages: ["polars", "duckdb"] }).summary).toBe(
    "polars duckdb",
  );
  expect(searchableCall("reset_session", {}).summary).toBe("reset_session");
  expect(searchableCall("execute_bash", null)).toEqual({ summary: "execute_bash", words: [] });
});

test("nothing in a summary acts on a terminal or is refused by the database", () => {
  const { summary } = searchableCall("execute_bash", { command: "a\0b\u001b[2Jc\ud800d" });
  expect(summary).toBe("a\ufffdb\ufffd[2Jc\ufffdd");
  expect(searchableCall("execute_bash", { command: "x".repeat(10_000) }).summary).toHaveLength(160);
});

test("however much is printed, what is kept of it is bounded", () => {
  const stdout = Buffer.from(Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(" "));
  const words = searchableOutput({ stdout, stderr: Buffer.from("ValueError: 3 \xff") });
  expect(words.slice(0, 2)).toEqual(["valueerror", "3"]);
  expect(words).toHaveLength(80);
  expect(wordsOf("x".repeat(1_000), 10)).toEqual(["x".repeat(40)]);
});
