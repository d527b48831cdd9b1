import fc from "fast-check";
import { expect, test } from "vitest";
import { displayName, nameFromBytes, nameToBytes } from "./names.ts";

test("any bytes become a name and the same bytes again", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(nameToBytes(nameFromBytes(bytes))).toEqual(Buffer.from(bytes));
    }),
  );
});

test("a name that is UTF-8 reads as such", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(nameFromBytes(Buffer.from(name))).toBe(name);
    }),
  );
});

test("bytes that aren't UTF-8 and marks that reorder text are visible to people", () => {
  expect(displayName(nameFromBytes(Buffer.from([0x61, 0xff, 0x62])))).toBe("a\\xffb");
  expect(displayName("new\nline \u001b[31mred \u202egnp.exe")).toBe(
    "new\\u000aline \\u001b[31mred \\u202egnp.exe",
  );
});
