import type { DynamicToolUIPart } from "ai";
import { expect, test } from "vitest";
import { toolOutcome } from "./tool-outcome.ts";

const part = (rest: object) =>
  ({ type: "dynamic-tool", toolName: "t", toolCallId: "1", input: {}, ...rest }) as DynamicToolUIPart;

const ENDED = part({
  state: "output-available",
  output: {
    execution_id: "e",
    status: "failed",
    exit_code: 2,
    stdout: "out",
    stderr: "err",
    truncated: true,
    duration_ms: 12,
    artifacts: [{ id: "a", path: "/workspace/a.png" }],
    artifacts_skipped: "Not kept as artifacts: big.bin.",
    results: [{ mime: "text/plain", text: "4" }],
    denied_hosts: [{ host: "example.com", message: "example.com was refused." }],
  },
});

test("a run that has ended says how", () => {
  expect(toolOutcome(ENDED, true)).toEqual({
    status: "failed",
    exitCode: 2,
    durationMs: 12,
    stdout: "out",
    stderr: "err",
    truncated: true,
    results: [{ mime: "text/plain", text: "4" }],
    artifacts: [{ id: "a", path: "/workspace/a.png" }],
    skipped: "Not kept as artifacts: big.bin.",
    denied: ["example.com was refused."],
    text: "",
    live: false,
  });
});

test("a run is live until its turn is over, whatever was recorded last", () => {
  const running = part({ state: "output-available", preliminary: true, output: { stdout: "so far" } });
  expect(toolOutcome(running, false)).toMatchObject({ status: "running", live: true, stdout: "so far" });
  expect(toolOutcome(running, true)).toMatchObject({ status: "cancelled", live: false, stdout: "so far" });
  expect(toolOutcome(part({ state: "input-streaming" }), false).status).toBe("writing");
  expect(toolOutcome(part({ state: "input-available" }), false).status).toBe("running");
});

test("a refused call shows why, and a look into a file shows the file", () => {
  const refused = part({ state: "output-error", errorText: "No such file." });
  expect(toolOutcome(refused, true)).toMatchObject({ status: "failed", stderr: "No such file." });
  const read = part({ state: "output-available", output: { content: "line", total_lines: 1 } });
  expect(toolOutcome(read, true)).toMatchObject({ status: "completed", text: "line" });
});

test("nonsense in an output is left out", () => {
  for (const output of [null, 5, [], { results: "x", artifacts: [{ id: 1 }], stdout: 7, denied_hosts: {} }]) {
    const outcome = toolOutcome(part({ state: "output-available", output }), true);
    expect(outcome).toMatchObject({ stdout: "", results: [], artifacts: [], denied: [] });
  }
});
