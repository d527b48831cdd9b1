import type { RunResult } from "../types.ts";

/** The result of an execution of which nothing is known but how it stands. */
export function blankResult(executionId: string, status: RunResult["status"]): RunResult {
  return {
    executionId,
    status,
    exitCode: null,
    signal: null,
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    truncated: false,
    omitted: { stdout: 0, stderr: 0 },
    durationMs: 0,
    cpuMs: null,
    memoryBytes: null,
    strays: [],
    deniedHosts: [],
    changes: [],
    changesTruncated: false,
  };
}
