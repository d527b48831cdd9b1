import { z } from "zod";
import { agentForTools } from "#lib/agent/agent-for-tools.ts";
import type { ToolCall } from "#lib/executions/run-tool.ts";

/** The body of `/execute` and `/execute/stream`. */
export const callBody = z.object({
  name: z.string().min(1).max(100),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

export function toolCall(
  { id: userId }: { id: string },
  body: z.infer<typeof callBody>,
  request: Request,
): ToolCall {
  const idempotencyKey = request.headers.get("idempotency-key");
  return {
    userId,
    door: "rest",
    agent: agentForTools,
    ...body,
    ...(idempotencyKey !== null && { idempotencyKey }),
  };
}
