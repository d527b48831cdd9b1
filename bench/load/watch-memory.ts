// Whether the server's memory stays flat while it is busy: what it holds after the first quarter of some work, and at its end.
import { setTimeout as sleep } from "node:timers/promises";
import { residentBytes } from "../../tests/support/server-memory.ts";
import type { ServerHeap } from "./server-heap.ts";

const MB = 2 ** 20;

/** Garbage is collected before either is taken: under load there is always some, and how much is chance. */
export interface Held {
  heapMB: number;
  residentMB: number;
}

export interface MemoryReport {
  afterFirstQuarter: Held;
  atEnd: Held;
  /** Garbage included. */
  mostResidentMB: number;
}

export async function held(pid: number, heap: ServerHeap): Promise<Held> {
  return { heapMB: (await heap.collect()) / MB, residentMB: (await residentBytes(pid)) / MB };
}

export async function watchMemory<T>(
  { pid, heap, seconds }: { pid: number; heap: ServerHeap; seconds: number },
  work: () => Promise<T>,
): Promise<{ result: T; memory: MemoryReport }> {
  let most = 0;
  let over = false;
  const watching = (async () => {
    while (!over) {
      most = Math.max(most, (await residentBytes(pid)) / MB);
      await sleep(250);
    }
  })();
  const quarter = sleep(seconds * 250).then(() => held(pid, heap));
  const result = await work().finally(() => {
    over = true;
  });
  await watching;
  const memory = {
    afterFirstQuarter: await quarter,
    atEnd: await held(pid, heap),
    mostResidentMB: most,
  };
  return { result, memory };
}
