import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { beginLive, findLive } from "./live-calls.ts";

const call = { userId: "ada", door: "mcp", name: "execute_bash", arguments: {} } as const;

test("a caller's patience is counted from the call, wherever the call stands", async () => {
  const live = beginLive("patience", { ...call, waitMs: 60 });
  expect(live.leftMs()).toBeLessThanOrEqual(60);
  await sleep(30);
  expect(live.leftMs()).toBeLessThan(35);
  await sleep(40);
  expect(live.leftMs()).toBe(0);
  live.end();
  const waiting = beginLive("endless", call);
  expect(waiting.leftMs()).toBeUndefined();
  waiting.end();
});

test("a caller who goes away stops the call, until it was let go", () => {
  const caller = new AbortController();
  const live = beginLive("taken back", { ...call, signal: caller.signal });
  const handed = beginLive("handed over", { ...call, signal: caller.signal });
  handed.letGo();
  caller.abort();
  expect([live.signal.aborted, handed.signal.aborted]).toEqual([true, false]);
  // It can still be stopped by whoever has its id, and by nobody else.
  expect(findLive("bob", "handed over")).toBeUndefined();
  findLive("ada", "handed over")?.stop();
  expect(handed.signal.aborted).toBe(true);
  live.end();
  handed.end();
  expect(findLive("ada", "handed over")).toBeUndefined();
});
