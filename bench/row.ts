// One line of the table: what is measured, the bar it is held to, and how.

import type { BenchContext } from "./context.ts";
import type { Contest, Spread } from "./measure.ts";

export type Measured = {
  value: number;
  /** Our own side in milliseconds, where it has one. */
  ms?: Spread;
  /** What the value is made of, for whoever wants to know. */
  details: Record<string, unknown>;
};

export type Row = {
  name: string;
  what: string;
  bar: { atMost: number } | { atLeast: number };
  unit: "×" | "MB" | "ms" | "calls/s";
  measure: (context: BenchContext) => Promise<Measured>;
};

/** What a row says that holds our way against another. */
export function ratioOf(contest: Contest): Measured {
  return { value: contest.ratio, ms: contest.ours, details: contest };
}

export function passes({ bar }: Pick<Row, "bar">, value: number): boolean {
  return "atMost" in bar ? value <= bar.atMost : value >= bar.atLeast;
}
