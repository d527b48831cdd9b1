import { expect, test } from "vitest";
import { completionRequest, readCompletion } from "./completion.ts";

test("positions survive characters that JavaScript counts twice", () => {
  const code = "'🦀🦀'; na";
  expect(completionRequest("default", code, code.length)).toMatchObject({ cursor: 8 });
  const message = { matches: [["name", "instance"]], start: 6, end: 8, busy: false };
  expect(readCompletion(message, code)).toEqual({
    from: code.indexOf("na"),
    to: code.length,
    matches: [{ text: "name", type: "instance" }],
    busy: false,
  });
});

test("positions past the end stay within the code", () => {
  const message = { matches: [], start: 5, end: 2 ** 40, busy: false };
  expect(readCompletion(message, "abc")).toMatchObject({ from: 3, to: 3 });
});

test("a cursor outside of the code is refused", () => {
  for (const cursor of [-1, 4, 0.5, Number.NaN]) {
    expect(() => completionRequest("default", "abc", cursor)).toThrow("outside");
  }
});

test("nonsense from the sandbox is a violation", () => {
  const good = { matches: [], start: 0, end: 0, busy: false };
  for (const bad of [
    { ...good, matches: "x" },
    { ...good, matches: [[1, 2]] },
    { ...good, matches: [["x".repeat(201), ""]] },
    { ...good, matches: Array(1001).fill(["a", ""]) },
    { ...good, start: -1 },
    { ...good, busy: 0 },
  ]) {
    expect(() => readCompletion(bad, "abc")).toThrow("protocol");
  }
});
