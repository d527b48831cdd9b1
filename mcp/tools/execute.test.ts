import { expect, test } from "vitest";
import type { RunOptions } from "#sandbox/index.ts";
import { executeBash } from "./execute-bash.ts";
import { executePython } from "./execute-python.ts";
import type { Tool, ToolContext } from "./tool.ts";

const ended = {
  ...{ executionId: "e1", status: "completed", exitCode: 0, durationMs: 1, truncated: false },
  ...{ stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), deniedHosts: [], changes: [], results: [] },
};

test.each<[Tool, object]>([
  [executeBash, { command: "true" }],
  [executePython, { code: "1" }],
])(
  "$name runs as long as the operator's default says, unless the call says otherwise",
  async (tool, args) => {
    const timeouts: unknown[] = [];
    const note = async (_code: string, { timeoutMs }: RunOptions) => {
      timeouts.push(timeoutMs);
      return ended;
    };
    const context = { sandbox: { run: note, python: note }, run: {}, limits: { timeoutSeconds: 7 } };
    for (const given of [args, { ...args, timeout: 90 }]) {
      await tool.run(tool.input.parse(given), context as unknown as ToolContext);
    }
    expect(timeouts).toEqual([7_000, 90_000]);
  },
);
