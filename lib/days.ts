// Days as they are counted: in UTC, written such as 2026-11-18.
const DAY_MS = 24 * 3_600_000;

export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function nextDay(ms: number): string {
  return dayAt(ms + DAY_MS);
}

export function startOfDay(ms: number): Date {
  return new Date(Math.floor(ms / DAY_MS) * DAY_MS);
}

/** The last so many days, today included. */
export function lastDays(days: number, now: number): string[] {
  return Array.from({ length: days }, (_, n) => dayAt(now - (days - 1 - n) * DAY_MS));
}
