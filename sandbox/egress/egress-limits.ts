// What one user may use of the network: so many connections at a time, so many bytes per window. New connections
// beyond the rate are paced instead of failing; how many can wait is bounded by how many may be open.

import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "./refusal.ts";

export type EgressLimits = {
  connections: number;
  /** Of all users together, so that the server keeps file descriptors for itself. */
  totalConnections: number;
  perSecond: number;
  /** Connections that may come at once before the rate counts. */
  burst: number;
  /** Both directions together. */
  bytes: number;
  windowMs: number;
  headMs: number;
  headBytes: number;
  lookupMs: number;
  connectMs: number;
  idleMs: number;
};

export const DEFAULT_LIMITS: EgressLimits = {
  connections: 128,
  totalConnections: 2048,
  perSecond: 100,
  burst: 200,
  bytes: 8 * 2 ** 30,
  windowMs: 3_600_000,
  headMs: 10_000,
  headBytes: 16 * 1024,
  lookupMs: 5000,
  connectMs: 10_000,
  idleMs: 120_000,
};

export type Place = {
  /** Resolves when the rate lets this connection go ahead. */
  pace: (signal: AbortSignal) => Promise<void>;
  /** Throws once the window's bytes are used up. */
  count: (bytes: number) => void;
  release: () => void;
};

type Usage = { open: number; bytes: number; windowEnds: number; nextStart: number };
type Rules = Pick<
  EgressLimits,
  "connections" | "totalConnections" | "perSecond" | "burst" | "bytes" | "windowMs"
>;

export function egressLimits(rules: Rules, now: () => number = () => performance.now()) {
  const users = new Map<string, Usage>();
  const stepMs = 1000 / rules.perSecond;
  let total = 0;
  let nextSweep = now() + rules.windowMs;

  /** Takes a place for one connection or throws at once. */
  function enter(userId: string): Place {
    sweep();
    const usage = current(userId);
    if (usage.bytes >= rules.bytes) throw spent(usage);
    if (usage.open >= rules.connections) throw crowded(`${rules.connections} connections are open`);
    if (total >= rules.totalConnections) throw crowded("the server has no more connections to give");
    usage.open++;
    total++;
    let released = false;
    return {
      pace: (signal) => pace(usage, signal),
      count(bytes) {
        const today = renewed(usage);
        today.bytes += bytes;
        if (today.bytes > rules.bytes) throw spent(today);
      },
      release() {
        if (released) return;
        released = true;
        usage.open--;
        total--;
      },
    };
  }

  function current(userId: string): Usage {
    const previous = users.get(userId);
    if (previous) return renewed(previous);
    const usage = {
      open: 0,
      bytes: 0,
      windowEnds: now() + rules.windowMs,
      nextStart: Number.NEGATIVE_INFINITY,
    };
    users.set(userId, usage);
    return usage;
  }

  function renewed(usage: Usage): Usage {
    if (now() >= usage.windowEnds) Object.assign(usage, { bytes: 0, windowEnds: now() + rules.windowMs });
    return usage;
  }

  async function pace(usage: Usage, signal: AbortSignal): Promise<void> {
    const earliest = now() - rules.burst * stepMs;
    usage.nextStart = Math.max(usage.nextStart, earliest) + stepMs;
    const waitMs = usage.nextStart - now();
    if (waitMs <= 0) return;
    try {
      await delay(waitMs, undefined, { signal });
    } catch (error) {
      // Whoever leaves gives the moment back, or a flood of them would make the next one wait for hours.
      usage.nextStart -= stepMs;
      throw error;
    }
  }

  function spent(usage: Usage): Refusal {
    const minutes = Math.max(1, Math.ceil((usage.windowEnds - now()) / 60_000));
    const megabytes = Math.round(rules.bytes / 2 ** 20);
    const message = `This sandbox has used up the ${megabytes} MB of network traffic it may have: the next begin in ${minutes} min. Work with what is already there.`;
    return new Refusal("byte_limit", message);
  }

  /** Users who are away cost nothing. */
  function sweep(): void {
    if (now() < nextSweep) return;
    nextSweep = now() + rules.windowMs;
    for (const [userId, usage] of users) {
      if (usage.open === 0 && now() >= usage.windowEnds) users.delete(userId);
    }
  }

  return { enter, open: () => total };
}

function crowded(why: string): Refusal {
  const message = `Too many connections: ${why}. Close some, or use fewer at a time, and try again.`;
  return new Refusal("too_many_connections", message);
}
