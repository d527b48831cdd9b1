"use client";

import { ago } from "#app/_components/time-ago.ts";

/** "3 minutes ago", with the exact time of the reader's own clock for those who point at it. */
export function When({ at, className }: { at: string; className?: string }) {
  const date = new Date(at);
  return (
    // Server and browser are moments and time zones apart.
    <time dateTime={at} title={date.toLocaleString()} className={className} suppressHydrationWarning>
      {ago(date)}
    </time>
  );
}
