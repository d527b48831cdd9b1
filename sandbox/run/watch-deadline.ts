// The daemon enforces deadlines; this is for the case that it doesn't: everything in the sandbox is ended, and if even
// that doesn't help, whoever keeps the machine hears of it.
import { ignoreGone } from "../errors.ts";
import type { Pipe } from "../pipe/pipe.ts";

/** How much later than its deadline an execution may end before harder means are used. */
const OVERDUE_MS = 10_000;

export type DeadlineOptions = {
  /** The time runs from here on: a cell may have to wait for others first. */
  begun: Promise<void>;
  timeoutMs: number;
  onUnresponsive: () => void;
};

/** Returns the function that ends the watch. */
export function watchDeadline(pipe: Pipe, { begun, timeoutMs, onUnresponsive }: DeadlineOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let cancelled = false;
  const after = (ms: number, action: () => void) => {
    if (cancelled) return;
    timer = setTimeout(action, ms);
    timer.unref();
  };
  const insist = () => {
    pipe.killAll().catch(ignoreGone);
    after(OVERDUE_MS, onUnresponsive);
  };
  begun.then(() => after(timeoutMs + OVERDUE_MS, insist));
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
}
