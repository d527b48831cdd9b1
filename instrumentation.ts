// Next calls this once when the server starts, never while building.
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { boot } = await import("./lib/boot.ts");
    await boot();
  }
}
