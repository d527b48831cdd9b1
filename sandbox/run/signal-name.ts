import { constants } from "node:os";

const NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** "SIGKILL" for 9. Linux counts the same everywhere Cove runs sandboxes. */
export function signalName(number: number): string {
  return NAMES.get(number as (typeof constants.signals)[NodeJS.Signals]) ?? `signal ${number}`;
}
