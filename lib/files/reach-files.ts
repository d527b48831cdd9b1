// Looking at the user's workspace from the web: limited like every call, and not on record.
import type { Sandbox } from "#sandbox/index.ts";
import { limitRate } from "../rate-limit.ts";
import { noteUse } from "../sandboxes/note-use.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

export async function reachFiles<T>(userId: string, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  limitRate(userId);
  try {
    const sandbox = await (await sandboxes()).open(userId);
    noteUse(userId);
    return await work(sandbox);
  } catch (error) {
    throw fromSandbox(error);
  }
}
