// Next loads a module once per bundle (pages, route handlers, instrumentation) in one process.
// What must be one, such as a connection pool, is kept here.
const shared = globalThis as { cove?: Map<string, unknown> };

export interface PerProcess<T> {
  /** What is kept, made now if there is nothing yet. */
  get(make: () => T): T;
  peek(): T | undefined;
  /** Replaces what is kept, or forgets it. */
  set(value: T | undefined): void;
}

export function perProcess<T>(name: string): PerProcess<T> {
  shared.cove ??= new Map();
  const kept = shared.cove;
  return {
    get(make) {
      if (kept.get(name) === undefined) kept.set(name, make());
      return kept.get(name) as T;
    },
    peek: () => kept.get(name) as T | undefined,
    set: (value) => void kept.set(name, value),
  };
}
