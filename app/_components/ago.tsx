import { ago } from "./time-ago.ts";

/** "3 hours ago", with the exact time for those who point at it. */
export function Ago({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={`${at.toISOString().slice(0, 16).replace("T", " ")} UTC`}>
      {ago(at)}
    </time>
  );
}
