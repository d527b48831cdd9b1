import { expect, test } from "vitest";
import type { SandboxInfo } from "../types.ts";
import { idlenessOf } from "./sandbox-pipe.ts";

const info = (idle: boolean, ages: number[] = []) =>
  ({ idle, executions: ages.map((ageMs) => ({ ageMs })) }) as SandboxInfo;

test("the daemon says whether it rests, and how old its youngest result is", async () => {
  expect(await idlenessOf({ info: async () => info(true, [900, 300]) })).toEqual({
    idle: true,
    resultAgeMs: 300,
  });
  expect(await idlenessOf({ info: async () => info(false) })).toEqual({
    idle: false,
    resultAgeMs: Number.POSITIVE_INFINITY,
  });
});

test("silence and failure say nothing", async () => {
  expect(await idlenessOf({ info: () => new Promise(() => undefined) }, 20)).toBeUndefined();
  expect(await idlenessOf({ info: () => Promise.reject(new Error("gone")) })).toBeUndefined();
});
