import { expect, test } from "vitest";
import { CollectedOutput } from "./collected-output.ts";

test("head and tail are joined by a line that says how much is missing", () => {
  const output = new CollectedOutput(100);
  output.add(Buffer.from("head"));
  output.skip(1_234_567);
  output.add(Buffer.from("tail"));
  output.close(1_234_575);
  expect(output.bytes().toString()).toBe("head\n[… 1,234,567 bytes left out …]\ntail");
  expect(output.omitted).toBe(1_234_567);
});

test("what was cut off at the end is counted too", () => {
  const output = new CollectedOutput(100);
  output.add(Buffer.from("head"));
  output.close(10);
  expect(output.omitted).toBe(6);
});

test("more than was asked for is noticed", () => {
  const output = new CollectedOutput(4);
  expect(output.add(Buffer.from("1234"))).toBe(true);
  expect(output.add(Buffer.from("5"))).toBe(false);
});
