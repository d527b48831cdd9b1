/** One at a time for each key, in the order they come; what one of them fails with is its own. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = this.idle(key).then(work);
    const over = result.then(nothing, nothing).then(() => {
      if (this.#last.get(key) === over) this.#last.delete(key);
    });
    this.#last.set(key, over);
    return result;
  }

  /** Resolves when all that came until now is done. */
  idle(key: string): Promise<void> {
    return this.#last.get(key) ?? Promise.resolve();
  }
}

function nothing(): void {}
