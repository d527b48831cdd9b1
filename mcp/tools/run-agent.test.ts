import { describe, expect, test } from "vitest";
import { runAgent } from "./run-agent.ts";
import type { AgentAnswer, AgentForTools, ToolContext } from "./tool.ts";

const answered: AgentAnswer = {
  status: "completed",
  answer: "Forty-two.",
  model: "local/echo",
  steps: 2,
  inputTokens: 200,
  outputTokens: 20,
  artifacts: [{ id: "a1", path: "outputs/plot.png", mime: "image/png", size: 9, url: "http://cove/a1" }],
};

function call(run: AgentForTools["run"], more: Partial<ToolContext> = {}) {
  const context = { agent: { run }, executionId: "e1", ...more } as ToolContext;
  return runAgent.run({ task: "What is six times seven?" }, context);
}

describe("a task for the agent", () => {
  test("comes back with the answer, what it made and what it used", async () => {
    const { structured, text, ending } = await call(async () => answered);
    expect(runAgent.output.parse(structured)).toMatchObject({
      execution_id: "e1",
      status: "completed",
      stdout: "Forty-two.",
      answer: "Forty-two.",
      steps: 2,
      artifacts: answered.artifacts,
    });
    expect(text).toContain("outputs/plot.png: http://cove/a1");
    expect(ending).toMatchObject({ status: "completed", stdout: Buffer.from("Forty-two.") });
  });

  test("tells its words as they come", async () => {
    const heard: string[] = [];
    await call(
      async ({ onText }) => {
        await onText("Forty-");
        await onText("two.");
        return answered;
      },
      { onOutput: ({ data }) => void heard.push(data.toString()) },
    );
    expect(heard).toEqual(["Forty-", "two."]);
  });

  test("that takes longer than its caller waits goes on, and can be stopped", async () => {
    const { structured, text, goesOn } = await call(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ ...answered, status: "cancelled" }));
        }),
      { waitMs: 10, signal: new AbortController().signal },
    );
    expect(runAgent.output.parse(structured)).toMatchObject({ status: "running", answer: "" });
    expect(text).toContain('check_execution with execution_id "e1"');
    goesOn?.stop();
    expect(await goesOn?.end).toMatchObject({ ending: { status: "cancelled" } });
  });

  test("ends when its caller leaves while it waits, and not after", async () => {
    const leaving = new AbortController();
    const stopped = call(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ ...answered, status: "cancelled", answer: "" }));
          leaving.abort();
        }),
      { signal: leaving.signal, waitMs: 60_000 },
    );
    expect((await stopped).structured).toMatchObject({ status: "cancelled" });

    const later = new AbortController();
    let aborted = false;
    await call(
      ({ signal }) => {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
        return new Promise(() => {});
      },
      { signal: later.signal, waitMs: 5 },
    );
    later.abort();
    expect(aborted).toBe(false);
  });

  test("that fails says why", async () => {
    const { structured, text } = await call(async () => ({
      ...answered,
      status: "failed",
      answer: "",
      problem: "The model did not answer in time.",
      artifacts: [],
    }));
    expect(structured).toMatchObject({ status: "failed", stderr: "The model did not answer in time." });
    expect(text).toBe("The model did not answer in time.");
  });
});
