// Calls per minute and user: a bucket that refills steadily, so that a burst is fine and a flood is not.
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { perProcess } from "../per-process.ts";

interface Bucket {
  tokens: number;
  at: number;
}

const buckets = perProcess<Map<string, Bucket>>("rate-limit");
// Full buckets are forgotten once there are many, so that memory follows the users of the moment.
const MANY = 10_000;

export function limitRate(userId: string, now = Date.now()): void {
  const limit = env().COVE_RATE_LIMIT;
  const all = buckets.get(() => new Map());
  const { tokens, at } = all.get(userId) ?? { tokens: limit, at: now };
  const filled = Math.min(limit, tokens + ((now - at) / 60_000) * limit);
  if (filled < 1) {
    const seconds = Math.max(1, Math.ceil(((1 - filled) / limit) * 60));
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
