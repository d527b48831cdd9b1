import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { followBuild } from "./build-image.ts";

const events = (...objects: object[]) =>
  Readable.from([Buffer.from(objects.map((object) => `${JSON.stringify(object)}\r\n`).join(""))]);

test("a build that ends well reports its lines, without colours", async () => {
  const lines: string[] = [];
  await followBuild(
    events(
      { stream: "Step 1/2 : FROM x\n" },
      { stream: "\u001b[91mwarned\u001b[0m\n\n" },
      { aux: { ID: "sha256:1" } },
    ),
    "t:1",
    (line) => lines.push(line),
  );
  expect(lines).toEqual(["Step 1/2 : FROM x", "warned"]);
});

test("a failure names its step and the end of that step's output only", async () => {
  const output = Array.from({ length: 300 }, (_, index) => ({ stream: `line ${index}\n` }));
  const failed = followBuild(
    events(
      { stream: "Step 1/2 : FROM x\n" },
      { stream: "of the first step\n" },
      { stream: `Step 2/2 : RUN ${"x".repeat(500)}\n` },
      ...output,
      { error: "The command returned a non-zero code: 7" },
    ),
    "t:1",
  );
  const { message } = await failed.then(
    () => new Error("it passed"),
    (error: Error) => error,
  );
  expect(message).toMatch(
    /^Building t:1 stopped at Step 2\/2 : RUN x+…: The command returned a non-zero code: 7\n/,
  );
  expect(message).toContain("line 299");
  expect(message).not.toContain("line 200");
  expect(message).not.toContain("of the first step");
});

test("events split over chunks, even within a character, are put together", async () => {
  const bytes = Buffer.from(`${JSON.stringify({ stream: "naïve\n" })}\n${JSON.stringify({ stream: "end" })}`);
  const lines: string[] = [];
  await followBuild(Readable.from(Array.from(bytes, (byte) => Buffer.from([byte]))), "t:1", (line) =>
    lines.push(line),
  );
  expect(lines).toEqual(["naïve", "end"]);
});
