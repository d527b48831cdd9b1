// An answer that grows, written to its row now and then.
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageChange } from "#db/queries/messages.ts";
import { log } from "../log.ts";

const BATCH_MS = 400;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** One write at a time; the last one is tried until the database takes it, however long that is. */
export function writeInBatches(
  change: () => MessageChange,
  write: (change: MessageChange) => Promise<void>,
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { ref: false }),
) {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const writeNow = () => {
    timer = undefined;
    writing = writing.then(() => write(change())).catch(later);
  };
  return {
    touch() {
      timer ??= setTimeout(writeNow, BATCH_MS);
    },
    async end(last: MessageChange): Promise<void> {
      clearTimeout(timer);
      await writing;
      for (let wait = RETRY_MS; ; wait = Math.min(LONGEST_RETRY_MS, wait * 1.5)) {
        try {
          return await write({ ...change(), ...last });
        } catch (err) {
          later(err);
          await pause(wait);
        }
      }
    },
  };
}

function later(err: unknown): void {
  log().warn({ err }, "an answer is written once the database is back");
}
