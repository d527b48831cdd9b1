import type { UIMessageChunk } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Placed, TurnLog } from "./turn-log.ts";

const never = new AbortController().signal;

async function all(reader: AsyncIterable<Placed>): Promise<Placed[]> {
  const read: Placed[] = [];
  for await (const placed of reader) read.push(placed);
  return read;
}

function textOf(read: Placed[]): string {
  return read.map(({ chunk }) => (chunk.type === "text-delta" ? chunk.delta : `[${chunk.type}]`)).join("");
}

function delta(text: string, id = "0"): UIMessageChunk {
  return { type: "text-delta", id, delta: text };
}

function output(toolCallId: string, stdout: string, preliminary = true): UIMessageChunk {
  return {
    type: "tool-output-available",
    toolCallId,
    output: { stdout },
    ...(preliminary && { preliminary }),
  };
}

describe("who attaches", () => {
  test("from the beginning reads everything, in few pieces", async () => {
    const log = new TurnLog();
    log.add({ type: "text-start", id: "0" });
    for (const word of ["one ", "two ", "three"]) log.add(delta(word));
    log.add({ type: "text-end", id: "0" });
    log.end();
    const read = await all(log.read(0, never));
    expect(textOf(read)).toBe("[text-start]one two three[text-end]");
    expect(read).toHaveLength(3);
  });

  test("reads on while the turn goes on, and ends with it", async () => {
    const log = new TurnLog();
    log.add(delta("before "));
    const reading = all(log.read(0, never));
    await Promise.resolve();
    log.add(delta("after"));
    setTimeout(() => log.end(), 5);
    expect(textOf(await reading)).toBe("before after");
  });

  test("goes away without waiting for the end", async () => {
    const log = new TurnLog();
    const leaving = new AbortController();
    const reading = all(log.read(0, leaving.signal));
    leaving.abort();
    expect(await reading).toEqual([]);
  });

  test("gets the newest state of an output, not every one", async () => {
    const log = new TurnLog();
    for (let n = 0; n < 1000; n++) {
      log.add(output("a", `a${n}`));
      log.add(output("b", `b${n}`));
    }
    log.add(output("a", "done", false));
    log.end();
    const read = await all(log.read(0, never));
    expect(read.map(({ chunk }) => chunk)).toEqual([output("b", "b999"), output("a", "done", false)]);
  });
});

test("from wherever one left, nothing is missing and nothing comes twice", async () => {
  const pieces = fc.array(
    fc.record({ id: fc.constantFrom("0", "1"), text: fc.string({ minLength: 1, maxLength: 8 }) }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(), async (given, cut) => {
      const log = new TurnLog();
      const whole = given.map(({ text }) => text).join("");
      // Left after so many pieces were read as they came; the rest is read later, joined or not.
      const stay = given.length ? cut % given.length : 0;
      let early = "";
      let place = 0;
      for (const [index, { id, text }] of given.entries()) {
        log.add(delta(text, id));
        if (index >= stay) continue;
        const leaving = new AbortController();
        for await (const { seq, chunk } of log.read(place, leaving.signal)) {
          early += chunk.type === "text-delta" ? chunk.delta : "";
          place = seq;
          leaving.abort();
        }
      }
      log.end();
      expect(early + textOf(await all(log.read(place, never)))).toBe(whole);
    }),
  );
});
