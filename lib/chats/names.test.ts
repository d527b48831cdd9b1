import { describe, expect, test } from "vitest";
import { safeName } from "./attach-file.ts";
import { firstTitle } from "./title.ts";

describe("an attached file's name", () => {
  test.each([
    ["data.csv", "data.csv"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\Report 2026.xlsx", "Report_2026.xlsx"],
    [".bashrc", "bashrc"],
    ["-rf", "rf"],
    ["évaluation été.pdf", "évaluation_été.pdf"],
    ["a\nb\0c\u202etxt.exe", "a_b_c_txt.exe"],
    ["'; rm -rf /", "file"],
    ["", "file"],
    ["😀😀", "file"],
  ])("%j becomes %j", (given, safe) => {
    expect(safeName(given)).toBe(safe);
  });

  test("is never longer than a file system takes", () => {
    expect(Buffer.byteLength(safeName(`${"ü".repeat(500)}.txt`))).toBeLessThan(256);
  });
});

describe("a conversation's first title", () => {
  test.each([
    ["Plot a sine wave", "Plot a sine wave"],
    ["  Several\n\nlines   of it ", "Several lines of it"],
    ["!ls -la", "!ls -la"],
    [">>> 1 + 1", "1 + 1"],
    ["```python\nprint(1)\n```", "print(1)"],
    ["", "New chat"],
  ])("%j is %j", (text, title) => {
    expect(firstTitle(text)).toBe(title);
  });

  test("ends at a word, and is no longer than a line of the sidebar", () => {
    const title = firstTitle("word ".repeat(50));
    expect(title.length).toBeLessThanOrEqual(61);
    expect(title).toMatch(/word…$/);
  });
});
