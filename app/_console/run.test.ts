import { expect, test } from "vitest";
import { afterEvent, isLive, NEW_RUN, type Run } from "./run.ts";

const events = (...given: [string, unknown][]): Run =>
  given.reduce((run, [name, data]) => afterEvent(run, { name, data }), NEW_RUN);

test("a run grows with its output and ends with its result", () => {
  const live = events(
    ["started", { execution_id: "x" }],
    ["stdout", { text: "a" }],
    ["stdout", { text: "b" }],
    ["stderr", { text: "oh" }],
  );
  expect(live).toMatchObject({ status: "running", executionId: "x", stdout: "ab", stderr: "oh" });
  expect(isLive(live)).toBe(true);
  const result = { execution_id: "x", status: "failed", exit_code: 3, stdout: "ab", duration_ms: 12 };
  const over = afterEvent(live, { name: "result", data: result });
  expect(over).toMatchObject({ status: "failed", exitCode: 3, stdout: "ab", stderr: "", durationMs: 12 });
  expect(isLive(over)).toBe(false);
});

test("one that prints for ever stays bounded", () => {
  let run = NEW_RUN;
  for (let i = 0; i < 200; i++)
    run = afterEvent(run, { name: "stdout", data: { text: "y\n".repeat(32_000) } });
  expect(run.stdout.length).toBeLessThan(700_000);
});

test("what to do about an exception comes with the result", () => {
  const hint = "There is no module cv2: install the package opencv-python-headless to get it.";
  expect(events(["result", { status: "failed", hint }])).toMatchObject({ hint });
  expect(events(["result", { status: "failed", hint: { no: "sentence" } }])).not.toHaveProperty("hint");
});

test("what was not kept of what it made comes with the result", () => {
  const told = { status: "completed", artifacts_skipped: "Not kept as artifacts: huge.bin." };
  expect(events(["result", told])).toMatchObject({ skipped: told.artifacts_skipped });
});

test("a refusal is a sentence", () => {
  const run = events(["error", { error: { code: "unavailable", message: "The engine does not answer." } }]);
  expect(run).toMatchObject({ status: "unknown", problem: "The engine does not answer." });
});
