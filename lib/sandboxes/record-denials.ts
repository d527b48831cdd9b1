// What the network policy refuses is kept for administrators. Code may be refused thousands of times a second and chooses the
// names itself, so equal ones are one row, they are written together, and there is a most.
import { countDenials, type DeniedConnection } from "#db/queries/egress.ts";
import { db } from "../database.ts";
import { dayAt } from "../days.ts";
import { MOST } from "../growth-bounds.ts";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";

const EVERY_MS = 2_000;
const MOST_WAITING = 1_000;

const denials = perProcess<Map<string, DeniedConnection>>("denials");

export function recordDenial(
  userId: string,
  { host: wanted, port, reason }: { host: string; port: number; reason: string },
  now = Date.now(),
): void {
  // Code chose it, and Postgres takes neither NUL nor half a character.
  const host = wanted
    .slice(0, 253)
    .replace(/\p{Cc}/gu, "\ufffd")
    .toWellFormed();
  const waiting = denials.get(() => new Map());
  if (waiting.size === 0) setTimeout(() => void writeDenials(), EVERY_MS).unref();
  const day = dayAt(now);
  const key = JSON.stringify([userId, day, host, port, reason]);
  const count = (waiting.get(key)?.count ?? 0) + 1;
  if (count === 1 && waiting.size >= MOST_WAITING) return;
  waiting.set(key, { userId, day, host, port, reason, count, lastAt: new Date(now) });
}

/** What can't be written now is lost here and still stands with the run that it happened to. */
export async function writeDenials(): Promise<void> {
  const waiting = denials.peek();
  if (!waiting?.size) return;
  denials.set(new Map());
  await countDenials(db(), [...waiting.values()], MOST.deniedHosts).catch((err) =>
    log().warn({ err, lost: waiting.size }, "denials were not written"),
  );
}
