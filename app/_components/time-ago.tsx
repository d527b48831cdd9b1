"use client";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago, or from now, in the largest unit that fits. */
export function ago(at: Date, now = new Date()): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit && size ? words.format(Math.trunc(seconds / size), unit) : "just now";
}

/** "3 hours ago", with the exact time for those who point at it. */
export function Ago({ at }: { at: Date }) {
  return (
    <time
      // A minute may pass between the server and the browser.
      suppressHydrationWarning
      dateTime={at.toISOString()}
      title={`${at.toISOString().slice(0, 16).replace("T", " ")} UTC`}
    >
      {ago(at)}
    </time>
  );
}

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
