// An answer of the agent: an execution like any other, and what it has besides.
import { z } from "zod";
import { anyExecutionView, describeExecution, executionView } from "./execution-view.ts";

const answered = z.object({
  answer: z.string(),
  model: z.string().describe("provider/name"),
  steps: z.number().describe("How often the model was asked."),
  input_tokens: z.number(),
  output_tokens: z.number(),
});

export const agentView = executionView.extend(answered.shape);

/** What of it is not in the record's own columns. */
export const agentPart = answered.extend({ artifacts: executionView.shape.artifacts });
export type AgentPart = z.infer<typeof agentPart>;

/** A run that is asked for again: a command, a cell, or a task of the agent. */
export const followedView = anyExecutionView.extend(answered.partial().shape);
export type FollowedView = z.infer<typeof followedView>;

export function describeFollowed(view: FollowedView): string {
  return view.answer === undefined ? describeExecution(view) : describeAnswer(view);
}

export function describeAnswer({ stdout, stderr, artifacts }: FollowedView): string {
  const files = artifacts.map(({ path, url }) => `- ${path}: ${url}`).join("\n");
  const text = [stdout, stderr, files && `Artifacts:\n${files}`].filter(Boolean).join("\n\n");
  return text || "Done, without a word.";
}
