import { ago } from "./time-ago.ts";

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
