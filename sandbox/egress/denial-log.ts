// Remembers what was denied to whom, for the results of runs. A program that tries ten thousand times is one entry.

import type { DenialReason } from "./refusal.ts";

export type Denial = { host: string; port: number; reason: DenialReason; message: string };
export type RecordedDenial = Denial & { count: number; lastMs: number };

type UserDenials = { denials: Map<string, RecordedDenial>; forgottenMs: number };

const MOST_PER_USER = 100;
const KEPT_MS = 3_600_000;

export function denialLog(now: () => number = Date.now) {
  const users = new Map<string, UserDenials>();
  let nextSweep = now() + KEPT_MS;

  /** How often this very denial has been recorded, this time included. */
  function add(userId: string, denial: Denial): number {
    sweep();
    const user = users.get(userId) ?? { denials: new Map(), forgottenMs: Number.NEGATIVE_INFINITY };
    users.set(userId, user);
    const { denials } = user;
    const key = `${denial.host} ${denial.port} ${denial.reason}`;
    const count = (denials.get(key)?.count ?? 0) + 1;
    // Insertion order is the order of age, so the first one is the one to forget.
    denials.delete(key);
    denials.set(key, { ...denial, count, lastMs: now() });
    const [oldest] = denials;
    if (denials.size > MOST_PER_USER && oldest) {
      denials.delete(oldest[0]);
      user.forgottenMs = oldest[1].lastMs;
    }
    return count;
  }

  /** Those at or after `sinceMs` (as of `Date.now()`), oldest first; one in front says if some were forgotten. */
  function since(userId: string, sinceMs: number): RecordedDenial[] {
    const user = users.get(userId);
    if (!user) return [];
    const listed = [...user.denials.values()].filter(({ lastMs }) => lastMs >= sinceMs);
    return user.forgottenMs >= sinceMs ? [unlisted(user.forgottenMs), ...listed] : listed;
  }

  function sweep(): void {
    if (now() < nextSweep) return;
    nextSweep = now() + KEPT_MS;
    for (const [userId, { denials }] of users) {
      for (const [key, { lastMs }] of denials) if (lastMs < now() - KEPT_MS) denials.delete(key);
      if (denials.size === 0) users.delete(userId);
    }
  }

  return { add, since };
}

function unlisted(lastMs: number): RecordedDenial {
  const message = `More was refused than can be listed: these are the last ${MOST_PER_USER}.`;
  return { host: "*", port: 0, reason: "unlisted", message, count: 1, lastMs };
}
