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
