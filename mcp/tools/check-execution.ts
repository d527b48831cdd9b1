import { z } from "zod";
import { describeFollowed, followedView } from "./agent-view.ts";
import { picturesOf } from "./pictures-of.ts";
import { defineTool } from "./tool.ts";

export const checkExecution = defineTool({
  name: "check_execution",
  title: "Look at a run",
  description: `Returns the state and output of a run that was still going on when its call returned, or that was started in
the background. Waits up to \`wait\` seconds for it to end; call it again while the status is "running".`,
  input: z.object({
    execution_id: z.uuid().describe("As returned by the call that started it."),
    wait: z.number().min(0).max(45).default(45).describe("Seconds to wait for its end."),
  }),
  output: followedView,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "Wait for a run", icon: "wrench", open: true },
  async run({ execution_id, wait }, { executions, artifacts }) {
    const view = await executions.check(execution_id, wait * 1000);
    return { structured: view, text: describeFollowed(view), images: await picturesOf(view, artifacts) };
  },
});
