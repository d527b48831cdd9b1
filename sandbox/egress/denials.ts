// Remembers what was denied to whom, for the results of runs. A program that tries ten thousand times is one entry.

import type { DenialReason } from "./refusal.ts";

export type Denial = { host: string; port: number; reason: DenialReason; message: string };
export type RecordedDenial = Denial & { count: number; lastMs: number };

const MOST_PER_USER = 100;
const KEPT_MS = 3_600_000;

export function denialLog(now: () => number = Date.now) {
  const users = new Map<string, Map<string, RecordedDenial>>();
  let nextSweep = now() + KEPT_MS;

  /** How often this very denial has been recorded, this time included. */
  function add(userId: string, denial: Denial): number {
    sweep();
    const known = users.get(userId) ?? new Map<string, RecordedDenial>();
    users.set(userId, known);
    const key = `${denial.host} ${denial.port} ${denial.reason}`;
    const count = (known.get(key)?.count ?? 0) + 1;
    // Insertion order is the order of age, so the first one is the one to forget.
    known.delete(key);
    known.set(key, { ...denial, count, lastMs: now() });
    const oldest = known.keys().next().value;
    if (known.size > MOST_PER_USER && oldest !== undefined) known.delete(oldest);
    return count;
  }

  /** Those at or after `sinceMs` (as of `Date.now()`), oldest first. */
  function since(userId: string, sinceMs: number): RecordedDenial[] {
    return [...(users.get(userId)?.values() ?? [])].filter(({ lastMs }) => lastMs >= sinceMs);
  }

  function sweep(): void {
    if (now() < nextSweep) return;
    nextSweep = now() + KEPT_MS;
    for (const [userId, known] of users) {
      for (const [key, { lastMs }] of known) if (lastMs < now() - KEPT_MS) known.delete(key);
      if (known.size === 0) users.delete(userId);
    }
  }

  return { add, since };
}
