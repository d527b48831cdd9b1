import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog, log, provideLog } from "../log.ts";
import { watchHealth } from "./health.ts";

const FRESH_MS = 300;
const before = log();
let lines: { level: string; msg: string; err?: { message: string } }[];

beforeEach(() => {
  lines = [];
  provideLog(createLog("info", { write: (line) => void lines.push(JSON.parse(line)) }));
});
afterEach(() => provideLog(before));

test("thousands who ask at once share one look, and those who ask soon after it", async () => {
  const { look, asked } = watched();
  const reports = await Promise.all(Array.from({ length: 5000 }, look));
  expect(new Set(reports)).toEqual(new Set([expect.objectContaining({ status: "ok" })]));
  await look();
  expect(asked()).toBe(1);
  await sleep(FRESH_MS + 50);
  await look();
  expect(asked()).toBe(2);
});

test("what goes down and what comes back is told once, with the cause, and soon", async () => {
  const { look, state } = watched();
  expect(await look()).toMatchObject({ status: "ok", database: "ok" });
  for (const problem of [new Error("it is gone"), undefined]) {
    state.problem = problem;
    await sleep(FRESH_MS + 50);
    for (let n = 0; n < 3; n++) {
      const reports = await Promise.all(Array.from({ length: 1000 }, look));
      expect(reports.every(({ database }) => database === (problem ? "down" : "ok"))).toBe(true);
      await sleep(FRESH_MS + 50);
    }
  }
  expect(lines).toMatchObject([
    { level: "warn", msg: "health: database is down", err: { message: "it is gone" } },
    { level: "info", msg: "health: database is back" },
  ]);
});

test("a part that doesn't answer is down, and isn't asked again meanwhile", async () => {
  const { look, state, asked } = watched();
  state.silent = true;
  const first = look();
  await sleep(50);
  expect(await Promise.all([first, look()])).toMatchObject([{ database: "down" }, { database: "down" }]);
  expect(asked()).toBe(1);
  expect(lines).toMatchObject([{ err: { message: "no answer in 100 ms" } }]);
});

function watched() {
  const state: { problem?: Error; silent?: boolean } = {};
  let asked = 0;
  const probes = {
    async database() {
      asked++;
      if (state.silent) await new Promise(() => undefined);
      if (state.problem) throw state.problem;
    },
    sandbox: async () => undefined,
  };
  const look = watchHealth(probes, { patienceMs: 100, freshMs: FRESH_MS });
  return { look, state, asked: () => asked };
}
