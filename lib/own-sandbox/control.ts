// What people may do to their own sandbox from the panel.
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../app-error.ts";
import { runTool } from "../executions/run-tool.ts";
import { log } from "../log.ts";
import { limitRate } from "../rate-limit.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { destroySandbox } from "./destroy-sandbox.ts";

/** What has to be typed before everything is deleted. */
const CONFIRMATION = "delete everything";

const GRACE_MS = 2_000;

/** Ends everything in it and starts it again. */
export async function restartSandbox(userId: string): Promise<void> {
  limitRate(userId);
  await requireSandbox(userId);
  await change(async (all) => {
    await all.stop(userId);
    await (await all.open(userId)).info();
  });
}

/** A new container on the same files; it is made when it is next used. */
export async function resetSandbox(userId: string): Promise<void> {
  limitRate(userId);
  await requireSandbox(userId);
  await change((all) => all.reset(userId));
}

/** Everything in it, for good, once that was typed. */
export async function deleteEverything(userId: string, typed: string): Promise<void> {
  if (typed.trim().toLowerCase() !== CONFIRMATION) {
    throw new AppError("bad_request", `Type “${CONFIRMATION}” to confirm.`, { field: "confirmation" });
  }
  limitRate(userId);
  await change(() => destroySandbox(userId));
}

/** Asks it to end, and ends it if it doesn't. */
export async function stopProcess(userId: string, process: { pid: number; started: number }): Promise<void> {
  limitRate(userId);
  await change(async (all) => {
    // One that rests runs nothing, and must not be woken to find that out.
    const awake = (await all.glance(userId))?.state === "active";
    const sandbox = awake ? await all.open(userId) : undefined;
    if (!(await sandbox?.signalProcess(process, "TERM"))) {
      throw new AppError("not_found", "This process has ended already.");
    }
    sleep(GRACE_MS, undefined, { ref: false })
      .then(() => sandbox?.signalProcess(process, "KILL"))
      .catch((err) => log().debug({ err }, "a process could not be ended"));
  });
}

/** On record like every other run. */
export async function resetPythonSession(userId: string, session: string): Promise<void> {
  await runTool({ userId, door: "web", name: "reset_session", arguments: { session } });
}

async function requireSandbox(userId: string): Promise<void> {
  const found = await change((all) => all.glance(userId));
  if (!found) throw new AppError("not_found", "You have no sandbox yet: the first run makes it.");
}

async function change<T>(work: (all: Awaited<ReturnType<typeof sandboxes>>) => Promise<T>): Promise<T> {
  try {
    return await work(await sandboxes());
  } catch (error) {
    throw fromSandbox(error);
  }
}
