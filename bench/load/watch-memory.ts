// The server's memory while it is busy.
import { setTimeout as sleep } from "node:timers/promises";
import type { Cove } from "../../tests/support/cove.ts";
import { residentBytes, serverPid } from "../../tests/support/server-memory.ts";
import { spread } from "../measure.ts";

const MB = 2 ** 20;

export interface MemoryReport {
  firstQuarterMB: number;
  lastQuarterMB: number;
  mostMB: number;
}

/** Resident megabytes while `work` goes on: the medians of its first and its last quarter. */
export async function watchMemory<T>(
  cove: Cove,
  work: () => Promise<T>,
): Promise<{ result: T; memory: MemoryReport }> {
  const pid = await serverPid(cove.process.pid ?? 0);
  const sizes: number[] = [];
  let over = false;
  const watching = (async () => {
    while (!over) {
      sizes.push((await residentBytes(pid)) / MB);
      await sleep(250);
    }
  })();
  const result = await work().finally(() => {
    over = true;
  });
  await watching;
  const quarter = Math.ceil(sizes.length / 4);
  const memory = {
    firstQuarterMB: spread(sizes.slice(0, quarter)).median,
    lastQuarterMB: spread(sizes.slice(-quarter)).median,
    mostMB: Math.max(...sizes),
  };
  return { result, memory };
}
