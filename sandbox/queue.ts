// Callers who wait for a place. With a single place, work is done one after the other, in the order it was asked for.

import type { Priority } from "./engine/engine.ts";

export class Queue {
  readonly #places: number;
  readonly #waiting: Record<Priority, (() => void)[]> = { user: [], background: [] };
  #taken = 0;

  constructor(places = 1) {
    this.#places = places;
  }

  /** Whether nobody has a place, and so nobody waits for one. */
  get empty(): boolean {
    return this.#taken === 0;
  }

  /** Does the work once there is a place for it. What a user waits for goes before what is done ahead of need. */
  async run<T>(work: () => Promise<T>, priority: Priority = "user"): Promise<T> {
    if (this.#taken < this.#places) this.#taken++;
    else await new Promise<void>((admit) => this.#waiting[priority].push(admit));
    try {
      return await work();
    } finally {
      // The place is handed on rather than given back, so nobody who comes now can jump the queue.
      const admitNext = this.#waiting.user.shift() ?? this.#waiting.background.shift();
      if (admitNext) admitNext();
      else this.#taken--;
    }
  }
}

/** A queue of one place for each key: work on the same thing is done in order, work on others isn't held up. */
export function queuePerKey() {
  const queues = new Map<string, Queue>();

  return async function inOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(key) ?? new Queue();
    queues.set(key, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.empty && queues.get(key) === queue) queues.delete(key);
    }
  };
}
