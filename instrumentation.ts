import type { Instrumentation } from "next";

// Next calls this once when the server starts, never while building.
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { boot } = await import("./lib/server/boot.ts");
    await boot();
  }
}

/** What breaks while a page is made; doors and forms answer for themselves. */
export const onRequestError: Instrumentation.onRequestError = async (
  err,
  { method, path },
  { routePath },
) => {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { isBrokenOff } = await import("./lib/app-error.ts");
    if (isBrokenOff(err)) return;
    const { log } = await import("./lib/log.ts");
    log().error({ err, method, path: path.split("?")[0], routePath }, "a page failed");
  }
};
