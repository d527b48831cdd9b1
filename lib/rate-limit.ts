// Calls per minute and user: a bucket that refills steadily, so that a burst is fine and a flood is not.
import { env } from "#env.ts";
import { AppError } from "./app-error.ts";
import { perProcess } from "./per-process.ts";

interface Bucket {
  tokens: number;
  at: number;
}

const buckets = perProcess<Map<string, Bucket>>("rate-limit");
// Full buckets are forgotten once there are many, so that memory follows the users of the moment.
const MANY = 10_000;

/** How much of the limit is left, and in how many seconds all of it will be there again. */
export interface RateState {
  limit: number;
  left: number;
  fullInSeconds: number;
  /** Set when nothing is left: when to come back. */
  retryAfterSeconds?: number;
}

export function rateState(userId: string, now = Date.now()): RateState {
  const limit = env().COVE_RATE_LIMIT;
  const filled = fill(userId, limit, now);
  const state = {
    limit,
    left: Math.floor(filled),
    fullInSeconds: Math.ceil(((limit - filled) / limit) * 60),
  };
  return filled < 1 ? { ...state, retryAfterSeconds: secondsToNext(filled, limit) } : state;
}

export function limitRate(userId: string, now = Date.now()): void {
  const limit = env().COVE_RATE_LIMIT;
  const all = buckets.get(() => new Map());
  const filled = fill(userId, limit, now);
  if (filled < 1) {
    const seconds = secondsToNext(filled, limit);
    throw new AppError(
      "rate_limited",
      `That is more than ${limit} calls a minute. Try again in ${seconds} s.`,
      {
        retryAfterSeconds: seconds,
      },
    );
  }
  all.set(userId, { tokens: filled - 1, at: now });
  if (all.size > MANY) for (const [id, bucket] of all) if (now - bucket.at > 60_000) all.delete(id);
}

function fill(userId: string, limit: number, now: number): number {
  const { tokens, at } = buckets.peek()?.get(userId) ?? { tokens: limit, at: now };
  return Math.min(limit, tokens + ((now - at) / 60_000) * limit);
}

function secondsToNext(filled: number, limit: number): number {
  return Math.max(1, Math.ceil(((1 - filled) / limit) * 60));
}
