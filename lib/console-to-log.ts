import { isBrokenOff } from "./app-error.ts";
import { log } from "./log.ts";

/** Next prints errors as they are, the parameters of failed queries and all; the log knows what to cut out. */
export function consoleToLog(): void {
  console.error = (...said: unknown[]) => {
    const err = said.find((one) => one instanceof Error);
    // Half a request is nobody's to mend. One with a digest also comes to `onRequestError`, which knows the path.
    if (err && ("digest" in err || isBrokenOff(err))) return;
    const words = said.filter((one) => typeof one === "string").join(" ");
    log().error({ err }, words || "the server reports an error");
  };
}
