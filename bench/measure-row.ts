// A row's result, whatever happens: one that fails or never ends costs the table one line.
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchContext } from "./context.ts";
import type { Spread } from "./measure.ts";
import { type Measured, passes, type Row } from "./row.ts";

export interface Result {
  name: string;
  what: string;
  bar: string;
  unit: Row["unit"];
  ok: boolean;
  /** How long measuring took, preparations included. */
  seconds: number;
  value?: number;
  ms?: Spread;
  details?: Measured["details"];
  error?: string;
}

const PATIENCE_MS = 15 * 60_000;

export async function measureRow(row: Row, context: BenchContext): Promise<Result> {
  const { name, what, unit, bar } = row;
  const limit = "atMost" in bar ? `≤ ${bar.atMost}` : `≥ ${bar.atLeast}`;
  const started = performance.now();
  const outcome = await inTime(row.measure(context)).then(
    (measured) => ({ ok: passes(row, measured.value), ...measured }),
    (error) => ({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
  return { name, what, bar: limit, unit, seconds: (performance.now() - started) / 1000, ...outcome };
}

/** A line of the table. */
export function describeResult({ ok, value, unit, bar, what, ms, seconds, error }: Result): string {
  const took = `${seconds.toFixed(0)} s`;
  if (value === undefined) return `FAIL                      ${what}: ${error} · ${took}`;
  const figure = `${value.toFixed(3).padStart(9)} ${unit} (${bar})`.padEnd(27);
  const spread = ms ? ` · p50 ${inMs(ms.median)}, p95 ${inMs(ms.p95)}` : "";
  return `${ok ? "ok  " : "MISS"} ${figure} ${what}${spread} · ${took}`;
}

export function inMs(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`It took longer than ${PATIENCE_MS / 60_000} minutes.`);
  });
  late.catch(() => undefined);
  return Promise.race([work, late]).finally(() => over.abort());
}
