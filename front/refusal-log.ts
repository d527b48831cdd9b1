// What the front turns away, told in one line at most once a minute: a flood must not become a flood of the log.

const REFUSALS = {
  /** No room, and nobody who kept us waiting. */
  refused: "connections were refused",
  /** Kept us waiting, and had to make room. */
  displaced: "waiting connections made room for new ones",
  heads: "requests never told what they want",
  bodies: "bodies did not arrive in time",
  stalled: "answers were not taken",
  /** Sent many requests without waiting for an answer. */
  pipelined: "connections asked for too much at once",
} as const;

type Refusal = keyof typeof REFUSALS;

export class RefusalLog {
  readonly #warn: (counts: Partial<Record<Refusal, number>>, sentence: string) => void;
  readonly #limits: { reportMs: number; collectMs: number };
  #counts: Partial<Record<Refusal, number>> = {};
  #timer?: NodeJS.Timeout;
  #reportedAt = 0;

  constructor(
    limits: { reportMs: number; collectMs: number },
    warn: (counts: Partial<Record<Refusal, number>>, sentence: string) => void,
  ) {
    this.#limits = limits;
    this.#warn = warn;
  }

  count(refusal: Refusal): void {
    this.#counts[refusal] = (this.#counts[refusal] ?? 0) + 1;
    const { collectMs, reportMs } = this.#limits;
    const dueMs = Math.max(collectMs, this.#reportedAt + reportMs - Date.now());
    this.#timer ??= setTimeout(() => this.#report(), dueMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #report(): void {
    const counts = this.#counts;
    this.#counts = {};
    this.#timer = undefined;
    this.#reportedAt = Date.now();
    const words = (Object.keys(REFUSALS) as Refusal[])
      .filter((refusal) => counts[refusal])
      .map((refusal) => `${counts[refusal]} ${REFUSALS[refusal]}`);
    this.#warn(counts, `${words.join(", ")}.`);
  }
}
