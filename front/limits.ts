// What a connection may cost. Nobody sets these: they follow from what people's networks do and from this process's own limits.
import { readFileSync } from "node:fs";

export interface Limits {
  /** Connections at a time, of everybody and of one address. */
  connections: number;
  connectionsOfOne: number;
  /** Until a request's head is whole. */
  headMs: number;
  /** A body goes on while every window of this length brings that many bytes: about 550 a second. */
  bodyWindowMs: number;
  bodyBytes: number;
  /** How long the rest of a body is still taken once it has been answered, and once it has been refused. */
  lingerMs: number;
  refusedLingerMs: number;
  /** Without a request. Longer than reverse proxies keep theirs, so that it is they who close. */
  idleMs: number;
  /** How many requests of one connection are answered at a time. Browsers send the next one when they have read the last. */
  requestsAtOnce: number;
  /** An answer of which less is taken in such a window makes room where there is none. */
  answerWindowMs: number;
  answerBytes: number;
  /** How long a client may take nothing of an answer that waits for it. */
  stalledMs: number;
  /** How often bodies and answers are looked at, and heads. */
  lookMs: number;
  headLookMs: number;
  /** The least time between two lines of the log about what was refused, and how long the first one collects. */
  reportMs: number;
  collectMs: number;
}

/** A connection with a request costs some tens of kilobytes. */
const MOST_CONNECTIONS = 8192;
/** Everything that isn't a visitor: sandboxes, their downloads, the database, files. */
const RESERVE = 512;

export function defaultLimits(descriptors = descriptorLimit()): Limits {
  const connections = Math.max(64, Math.min(MOST_CONNECTIONS, Math.floor((descriptors - RESERVE) / 2)));
  return {
    connections,
    connectionsOfOne: Math.ceil(connections / 8),
    headMs: 15_000,
    bodyWindowMs: 30_000,
    bodyBytes: 16 * 1024,
    lingerMs: 120_000,
    refusedLingerMs: 8_000,
    idleMs: 65_000,
    requestsAtOnce: 8,
    answerWindowMs: 60_000,
    answerBytes: 16 * 1024,
    stalledMs: 600_000,
    lookMs: 500,
    headLookMs: 2_000,
    reportMs: 60_000,
    collectMs: 2_000,
  };
}

/** How many files this process may have open. Node raises it as far as it may go when it starts. */
function descriptorLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit ? Number(limit) : Number.MAX_SAFE_INTEGER;
  } catch {
    // Only Linux says so in a file; elsewhere this is what systems give at least.
    return 4096;
  }
}
