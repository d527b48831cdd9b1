// The Python sessions behind a console: which there are, and what could be typed next.
import type { Completion, SessionSummary } from "#sandbox/index.ts";
import { limitRate } from "../rate-limit.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

// As long as somebody is likely to think before the first cell.
const KEEP_WARM_MS = 3 * 60_000;

/** Wakes the sandbox, too, and has an interpreter ready: whoever opens a console is about to run something. */
export async function sessionsOf(userId: string): Promise<Pick<SessionSummary, "name" | "busy">[]> {
  limitRate(userId);
  try {
    const sandbox = await (await sandboxes()).open(userId);
    const { sessions } = await sandbox.info();
    void sandbox.prewarm(KEEP_WARM_MS).catch(() => undefined); // the first cell warms it otherwise
    return sessions.map(({ name, busy }) => ({ name, busy }));
  } catch (error) {
    throw fromSandbox(error);
  }
}

export async function completeCode(
  userId: string,
  { session, code, cursor }: { session: string; code: string; cursor: number },
): Promise<Completion> {
  limitRate(userId);
  try {
    return await (await (await sandboxes()).open(userId)).complete(session, code, cursor);
  } catch (error) {
    throw fromSandbox(error);
  }
}
