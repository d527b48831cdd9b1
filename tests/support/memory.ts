// How much this process holds on to. Garbage the collector has not got to yet is no growth, so it is collected first.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Without what the allocator keeps for later, so that it goes down, too. */
export function heldObjectBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** How much this process grew at most while it worked. */
export async function watchingMemory<T>(work: () => Promise<T>): Promise<{ grown: number; result: T }> {
  const before = heldBytes();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, heldBytes());
  }, 50);
  try {
    const result = await work();
    return { grown: Math.max(most, heldBytes()) - before, result };
  } finally {
    clearInterval(timer);
  }
}

function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().rss;
}
