import { expect, test } from "vitest";
import { partialJson } from "./partial-json.ts";

const WHOLE = JSON.stringify({
  code: 'print("é\\n", 1)\n\u0001',
  session: "a",
  list: [1, { b: null }],
  last: true,
});

test("every beginning of an object can be read, and what it says only grows", () => {
  let seen = "";
  for (let end = 1; end <= WHOLE.length; end++) {
    const code = partialJson(WHOLE.slice(0, end))?.code;
    if (code === undefined) continue;
    expect(String(code).startsWith(seen)).toBe(true);
    seen = String(code);
  }
  expect(partialJson(WHOLE)).toEqual(JSON.parse(WHOLE));
});

test.each(["", "[1", "nonsense", "{{{", '"text'])("%j is no object", (text) => {
  expect(partialJson(text)).toBeUndefined();
});
