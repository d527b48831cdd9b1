// Work on the same thing is done one after the other, in the order it was asked for; work on others isn't held up.

export function turns() {
  const last = new Map<string, Promise<unknown>>();

  return function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return result;
  };
}
