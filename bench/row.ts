// One line of the table: what is measured, the bar it is held to, and how.

import type { BenchContext } from "./context.ts";

export type Measured = {
  value: number;
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

export function passes({ bar }: Pick<Row, "bar">, value: number): boolean {
  return "atMost" in bar ? value <= bar.atMost : value >= bar.atLeast;
}
