import { rateState } from "#lib/rate-limit.ts";

/** `RateLimit` and `RateLimit-Policy` as the IETF's draft has them, and `Retry-After` once nothing is left. */
export function rateLimitHeaders({ id }: { id: string }): Record<string, string> {
  const { limit, left, fullInSeconds, retryAfterSeconds } = rateState(id);
  return {
    "ratelimit-policy": `"calls";q=${limit};w=60`,
    ratelimit: `"calls";r=${left};t=${fullInSeconds}`,
    ...(retryAfterSeconds && { "retry-after": String(retryAfterSeconds) }),
  };
}
