// A queue in front of the container engine, which slows down for everybody when asked for many things at
// once. What a user waits for goes before what is done ahead of need.

import type { Priority } from "../engine/engine.ts";

export function callQueue(concurrency: number) {
  const waiting: Record<Priority, (() => void)[]> = { user: [], background: [] };
  let running = 0;

  async function run<T>(operation: () => Promise<T>, priority: Priority = "user"): Promise<T> {
    if (running < concurrency) running++;
    else await new Promise<void>((resolve) => waiting[priority].push(resolve));
    try {
      return await operation();
    } finally {
      // The place is handed on rather than given back, so nobody who comes now can jump the queue.
      const next = waiting.user.shift() ?? waiting.background.shift();
      if (next) next();
      else running--;
    }
  }

  return { run, waiting: () => waiting.user.length + waiting.background.length };
}
