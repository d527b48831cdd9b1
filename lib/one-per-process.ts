// Next loads a module once per bundle (pages, route handlers, instrumentation) in one process.
// What must be one, such as a connection pool, is kept here.
const shared = globalThis as { cove?: Map<string, unknown> };

export function onePerProcess<T>(name: string, make: () => T): T {
  shared.cove ??= new Map();
  if (!shared.cove.has(name)) shared.cove.set(name, make());
  return shared.cove.get(name) as T;
}

export function replaceInProcess<T>(name: string, value: T): void {
  shared.cove ??= new Map();
  shared.cove.set(name, value);
}
