// What a call does, at work in its user's sandbox.
import { startExecution } from "#db/queries/executions.ts";
import { type AgentForTools, type Outcome, type ToolContext, ToolProblem } from "#mcp/tools/tool.ts";
import { AppError } from "../app-error.ts";
import { artifactsForTools } from "../artifacts/artifacts-for-tools.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { inStage } from "../observe/in-stage.ts";
import { noteUse } from "../sandboxes/note-use.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { userLimits } from "../sandboxes/user-limits.ts";
import { noticeOwnSkillsSoon } from "../skills/notice-own-skills.ts";
import { skillsForTools } from "../skills/skills-for-tools.ts";
import { checkExecution, stopExecution } from "./follow.ts";
import type { LiveCall } from "./live-calls.ts";
import type { ToolCall, Work } from "./tool-call.ts";

const NO_AGENT: AgentForTools = {
  async run() {
    throw new AppError("bad_request", "The agent can't be started from here.");
  },
};

export async function perform(work: Work, input: unknown, live: LiveCall, call: ToolCall): Promise<Outcome> {
  const { id, signal } = live;
  const { userId, onOutput, onBegun } = call;
  try {
    const sandbox = await inStage("open", async () => (await sandboxes()).open(userId));
    noteUse(userId);
    const begin = () => {
      if (work.recorded && live.state === "queued") markStarted(id, sandbox.id);
      live.state = "running";
    };
    const onBegin = () => {
      begin();
      live.touched = true;
      onBegun?.();
    };
    const waits = work.needsPlace && sandbox.wouldWait;
    if (waits) live.state = "queued";
    else begin();
    live.touched = !work.needsPlace;
    const waitMs = live.leftMs();
    const shared = {
      signal,
      ...(onOutput && { onOutput: forgiving(onOutput) }),
      ...(waitMs !== undefined && { waitMs }),
    };
    const context: ToolContext = {
      sandbox,
      executionId: id,
      ...shared,
      run: { executionId: id, keep: true, onBegin, ...shared },
      limits: userLimits(),
      status: () => statusOf(userId),
      executions: {
        check: (executionId, patienceMs) => checkExecution(userId, executionId, patienceMs),
        stop: (executionId) => stopExecution(userId, executionId),
      },
      artifacts: artifactsForTools(userId),
      skills: skillsForTools(userId),
      agent: call.agent?.(call) ?? NO_AGENT,
    };
    const running = inStage("run", () => work.run(input, context));
    if (waits && onBegun) unlessRefused(running, onBegun);
    const outcome = await running;
    // A run that was cut off leaves a sandbox that may be gone, and one that goes on isn't done with its files.
    const over = outcome.execution?.status !== "interrupted" && outcome.execution?.status !== "running";
    if (work.recorded && over) noticeOwnSkillsSoon(userId, sandbox);
    return outcome;
  } catch (error) {
    if (error instanceof ToolProblem) throw new AppError("bad_request", error.message, { cause: error });
    throw fromSandbox(error);
  }
}

async function statusOf(userId: string): ReturnType<ToolContext["status"]> {
  const all = await sandboxes();
  const status = await all.status(userId);
  return { state: status?.state ?? "stopped", quota: all.quota.kind };
}

/** A full queue refuses at once; who is still there a moment later waits in it. */
function unlessRefused(running: Promise<Outcome>, then: () => void): void {
  const moment = setImmediate(then);
  running.catch(() => clearImmediate(moment));
}

/** Nobody waits for it: the end is what counts, and it is written whether this was or not. */
function markStarted(id: string, sandboxId: string): void {
  startExecution(db(), id, sandboxId).catch((err) =>
    log().warn({ err, executionId: id }, "a run began and its record doesn't say so yet"),
  );
}

/** A listener that fails is not told any more; the run it listened to goes on. */
function forgiving(listen: NonNullable<ToolCall["onOutput"]>): NonNullable<ToolCall["onOutput"]> {
  let deaf = false;
  return async (chunk) => {
    if (deaf) return;
    try {
      await listen(chunk);
    } catch (err) {
      deaf = true;
      log().debug({ err }, "live output has nobody to go to");
    }
  };
}
