/** So many at a time, the others in order: a browser has six connections, and saving and stopping need some of them. */
export function placesInLine(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return async function inLine<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
