// The agent as one call: a task in, an answer out, with what it made.
import type { AgentAnswer, AgentForTools } from "#mcp/tools/tool.ts";
import type { ToolCall } from "../executions/run-tool.ts";

/** For the tool that hands it a task. */
export function agentForTools(call: ToolCall): AgentForTools {
  return { run: (task) => runTask(call, task) };
}

async function runTask(
  { userId, door, conversationId }: ToolCall,
  { task, model, signal, onText }: Parameters<AgentForTools["run"]>[0],
): Promise<AgentAnswer> {
  // What talks to models is large, and few doors' calls get here.
  const [{ chooseModel }, { runAgent }] = await Promise.all([
    import("../models/choose-model.ts"),
    import("./run-agent.ts"),
  ]);
  const chosen = await chooseModel(userId, model);
  // The last step's words are the answer; what was said on the way is not.
  let answer = "";
  let said = "";
  const artifacts = new Map<string, AgentAnswer["artifacts"][number]>();
  const outcome = await runAgent(
    {
      userId,
      door,
      ...(conversationId && { conversationId }),
      chosen,
      messages: () => [{ role: "user", content: task }],
      signal,
    },
    async (part) => {
      if (part.type === "start-step") said = "";
      if (part.type === "text-delta") {
        said += part.text;
        await onText(part.text);
      }
      if (part.type === "finish-step" && said) answer = said;
      if (part.type === "tool-result" && !part.preliminary) {
        for (const one of artifactsIn(part.output)) artifacts.set(one.path, one);
      }
    },
  );
  const { status, problem, steps, inputTokens, outputTokens } = outcome;
  return {
    status: status === "done" ? "completed" : status === "failed" || problem ? "failed" : "cancelled",
    answer: answer || said,
    ...(problem && { problem: problem.message }),
    model: chosen.id,
    steps,
    inputTokens,
    outputTokens,
    artifacts: [...artifacts.values()],
  };
}

function artifactsIn(output: unknown): AgentAnswer["artifacts"] {
  const { artifacts } = (output ?? {}) as { artifacts?: AgentAnswer["artifacts"] };
  return Array.isArray(artifacts) ? artifacts : [];
}
