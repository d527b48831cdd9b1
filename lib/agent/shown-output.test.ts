import { expect, test } from "vitest";
import { clipped, modelText, recalledText, shownOutput } from "./shown-output.ts";

test("long output keeps its beginning and its end, and says what is missing", () => {
  const text = `start ${"x".repeat(100_000)} end`;
  const short = clipped(text, 1000);
  expect(short.length).toBeLessThan(1100);
  expect(short).toMatch(/^start x+\n… 99\d{3} characters left out …\nx+ end$/);
  expect(clipped("short", 1000)).toBe("short");
  expect(modelText(text).length).toBeLessThan(25_000);
});

test("what a conversation keeps of a result is bounded, whatever was printed or shown", () => {
  const results = [
    { mime: "image/png", data: "A".repeat(1000) },
    ...Array.from({ length: 100 }, () => ({ mime: "image/png", data: "A".repeat(500_000) })),
    { mime: "image/png", data: "A".repeat(5_000_000) },
  ];
  const shown = shownOutput({ status: "completed", stdout: "y".repeat(1_000_000), exit_code: 0, results });
  expect(shown).toMatchObject({ status: "completed", exit_code: 0, results: expect.any(Array) });
  expect(JSON.stringify(shown).length).toBeLessThan(3_000_000);
  expect((shown.results as unknown[])[0]).toEqual(results[0]);
});

test("an earlier result is read as words, tables without their tags", () => {
  const view = {
    execution_id: "e",
    status: "failed",
    exit_code: 2,
    stdout: "before",
    stderr: "oops",
    truncated: false,
    duration_ms: 1,
    artifacts: [],
    results: [
      { mime: "text/html", text: "<table><tr><td>1</td><td>2</td></tr></table>" },
      { mime: "image/png", data: "AAAA" },
    ],
  };
  const text = recalledText(view);
  expect(text).toContain("before");
  expect(text).toContain("stderr:\noops");
  expect(text).toContain("Exit code 2.");
  expect(text).toContain("1 2");
  expect(text).not.toContain("AAAA");
  expect(recalledText({ content: "a file" })).toBe('{"content":"a file"}');
  expect(recalledText(undefined)).toBe("");
});
