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
  const values = shared.cove;
  return {
    get(make) {
      if (values.get(name) === undefined) values.set(name, make());
      return values.get(name) as T;
    },
    peek: () => values.get(name) as T | undefined,
    set: (value) => void values.set(name, value),
  };
}
