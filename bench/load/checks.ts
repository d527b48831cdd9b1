// What a run promises: each figure with the most it may be.
export interface Check {
  what: string;
  value: number;
  atMost: number;
  unit: string;
}

/** Prints them all; true if they hold. */
export function printChecks(checks: Check[]): boolean {
  for (const { what, value, atMost, unit } of checks) {
    const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
    console.log(`${value <= atMost ? "ok  " : "MISS"} ${what}: ${shown}${unit} (≤ ${atMost}${unit})`);
  }
  return checks.every(({ value, atMost }) => value <= atMost);
}
