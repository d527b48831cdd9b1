// Sessions of the web: a row each, so that signing out, everywhere or somewhere, takes effect at once.
import { headers } from "next/headers";
import { deleteExpiredSessions, endOldestSessions, insertSession } from "#db/queries/sessions.ts";
import { limitAttempts } from "../accounts/attempt-limits.ts";
import { writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { MOST } from "../growth-bounds.ts";
import { writeDeviceCookie } from "./cookies.ts";

export const SESSION_SECONDS = 30 * 24 * 60 * 60;

export async function startSession(userId: string): Promise<string> {
  await limitAttempts("account:change", userId);
  await deleteExpiredSessions(db());
  const userAgent = ((await headers()).get("user-agent") ?? "").slice(0, 300);
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  const id = await insertSession(db(), { userId, userAgent, expiresAt });
  await endOldestSessions(db(), userId, MOST.webSessions);
  await writeDeviceCookie(userId);
  await writeAudit(userId, "user.signed_in");
  return id;
}
