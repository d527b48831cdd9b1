import { expect, test } from "vitest";
import type { SandboxInfo } from "../types.ts";
import { restOf } from "./ask-daemon.ts";

const info = (idle: boolean, ages: number[] = []) =>
  ({ idle, executions: ages.map((ageMs) => ({ ageMs })) }) as SandboxInfo;

test("the daemon says whether it rests, and how old its youngest result is", async () => {
  expect(await restOf({ info: async () => info(true, [900, 300]) })).toEqual({
    idle: true,
    resultAgeMs: 300,
  });
  expect(await restOf({ info: async () => info(false) })).toEqual({
    idle: false,
    resultAgeMs: Number.POSITIVE_INFINITY,
  });
});

test("silence and failure say nothing", async () => {
  expect(await restOf({ info: () => new Promise(() => undefined) }, 20)).toBeUndefined();
  expect(await restOf({ info: () => Promise.reject(new Error("gone")) })).toBeUndefined();
});
