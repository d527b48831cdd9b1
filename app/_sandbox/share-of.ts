import type { Use } from "#lib/own-sandbox/glance.ts";

/** How much of it is used, from 0 to 1; nothing while that is unknown. */
export function shareOf(use: Use | undefined): number | undefined {
  return use && use.used !== null && use.total > 0 ? Math.min(1, use.used / use.total) : undefined;
}
