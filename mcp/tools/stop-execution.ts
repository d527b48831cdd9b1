import { z } from "zod";
import { describeFollowed, followedView } from "./agent-view.ts";
import { defineTool } from "./tool.ts";

export const stopExecution = defineTool({
  name: "stop_execution",
  title: "Stop a run",
  description:
    "Ends a run and everything it started. Returns its output up to then; stopping one that has ended is no error.",
  input: z.object({ execution_id: z.uuid().describe("As returned by the call that started it.") }),
  output: followedView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "Stop a run", icon: "wrench", open: false },
  async run({ execution_id }, { executions }) {
    const view = await executions.stop(execution_id);
    return { structured: view, text: describeFollowed(view) };
  },
});
