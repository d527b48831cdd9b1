// Calls that outlived their caller and that no sandbox knows: turns of the agent. A program that does so is known to its
// sandbox instead.
import type { Outcome } from "#mcp/tools/tool.ts";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";
import { recordEnd } from "./record.ts";
import { endingOf } from "./stored-execution.ts";

interface LongCall {
  /** Once its end is on record. */
  recorded: Promise<void>;
  stop(): void;
}

const longCalls = perProcess<Map<string, LongCall>>("long calls");

export function keepLongCall(id: string, { end, stop }: NonNullable<Outcome["goesOn"]>): void {
  const started = performance.now();
  const all = longCalls.get(() => new Map());
  const recorded = end
    .then(endingOf)
    .catch((err) => {
      log().error({ err, executionId: id }, "a call failed after its caller had left");
      return { status: "failed" as const };
    })
    .then((ending) => recordEnd(id, { ...ending, durationMs: Math.round(performance.now() - started) }))
    .finally(() => all.delete(id));
  all.set(id, { recorded, stop });
}

/** False when there is no such call. */
export async function waitForLongCall(id: string, waitMs: number): Promise<boolean> {
  const call = longCalls.peek()?.get(id);
  if (!call) return false;
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, waitMs);
  await Promise.race([call.recorded, patience.promise]);
  clearTimeout(timer);
  return true;
}

export function stopLongCall(id: string): boolean {
  const call = longCalls.peek()?.get(id);
  call?.stop();
  return call !== undefined;
}
