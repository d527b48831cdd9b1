import { expect, test } from "vitest";
import { createLog, provideLog } from "../log.ts";
import { writeInBatches } from "./write-in-batches.ts";

provideLog(createLog("silent"));

test("the end of an answer is written however long the database is away", async () => {
  const pauses: number[] = [];
  const written: unknown[] = [];
  const batches = writeInBatches(
    () => ({ body: "all of it" }),
    async (change) => {
      if (pauses.length < 200) throw new Error("away");
      written.push(change);
    },
    async (ms) => pauses.push(ms),
  );
  await batches.end({ status: "done" });
  expect(written).toEqual([{ body: "all of it", status: "done" }]);
  expect(pauses[0]).toBe(1000);
  expect(Math.max(...pauses)).toBe(30_000);
});

test("what changes is written soon, and the end after it", async () => {
  const written: unknown[] = [];
  let text = "one";
  const batches = writeInBatches(
    () => ({ body: text }),
    async (change) => void written.push(change),
  );
  batches.touch();
  batches.touch();
  await expect.poll(() => written).toEqual([{ body: "one" }]);
  text = "one two";
  batches.touch();
  await batches.end({ status: "done" });
  expect(written).toEqual([{ body: "one" }, { body: "one two", status: "done" }]);
});
