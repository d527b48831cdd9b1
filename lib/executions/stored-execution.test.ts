import { expect, test } from "vitest";
import type { RunResult } from "#sandbox/index.ts";
import { endOf } from "./stored-execution.ts";

const NOTHING = Buffer.alloc(0);
const cell: RunResult = {
  ...{ executionId: "x", status: "completed", exitCode: 0, signal: null, truncated: false },
  ...{ stdout: NOTHING, stderr: NOTHING, durationMs: 1.5, cpuMs: 1.5, memoryBytes: 1.5 },
  ...{ strays: [], changes: [], changesTruncated: false, deniedHosts: [] },
  ...{ session: "default", restarted: false, omitted: { stdout: 0, stderr: 0 } },
};

test("a picture that became no artifact stays with the run, as long as it is small", () => {
  const results = [
    { mime: "image/png", artifact_id: "kept" },
    { mime: "image/png", data: "small" },
    { mime: "image/png", data: "x".repeat(2 ** 20) },
  ];
  expect(JSON.parse(endOf(cell, { results }).results ?? "")).toEqual([
    ...results.slice(0, 2),
    { mime: "image/png" },
  ]);
});

test("numbers that a sandbox makes up fit the record", () => {
  expect(endOf(cell, {})).toMatchObject({ durationMs: 2, cpuMs: 2, memoryBytes: 2 });
});
