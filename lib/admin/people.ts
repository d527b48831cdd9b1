// What administrators do to other people's accounts. Each takes effect with the person's next request.
import { randomBytes } from "node:crypto";
import { changeStanding, listPeople, type Person, type Standing } from "#db/queries/people.ts";
import { findUser, type User } from "#db/queries/users.ts";
import { endSessions } from "#db/queries/web-sessions.ts";
import { replacePassword } from "../accounts/replace-password.ts";
import { AppError } from "../app-error.ts";
import { type Action, type Actor, writeAudit } from "../audit.ts";
import { interruptTurns } from "../chats/turns.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { readySandboxes } from "../sandboxes/sandboxes.ts";

export type { Person };

const PAGE = 50;

export async function peoplePage(filter: {
  text?: string;
  after?: string;
}): Promise<{ people: Person[]; next?: string }> {
  const rows = await listPeople(db(), filter, PAGE + 1);
  const people = rows.slice(0, PAGE);
  return { people, ...(rows.length > PAGE && { next: people.at(-1)?.id }) };
}

/** Signs them out everywhere, ends what runs for them, and lets them in no more. */
export async function disablePerson(admin: Actor, id: string): Promise<void> {
  if (admin.id === id) throw new AppError("conflict", "You can't disable your own account.");
  await change(admin, id, { disabled: true }, "user.disabled");
  await endSessions(db(), id);
  await interruptTurns(id);
  await (await readySandboxes())
    ?.stop(id)
    .catch((err) => log().warn({ err }, "a disabled user's sandbox runs on until it is idle"));
}

export function enablePerson(admin: Actor, id: string): Promise<void> {
  return change(admin, id, { disabled: false }, "user.enabled");
}

export function promotePerson(admin: Actor, id: string): Promise<void> {
  return change(admin, id, { admin: true }, "user.promoted");
}

export function demotePerson(admin: Actor, id: string): Promise<void> {
  return change(admin, id, { admin: false }, "user.demoted");
}

/** A new password, told once: to be handed over and changed. All their sessions end, and their tokens if that is wanted. */
export async function resetPassword(
  admin: Actor,
  id: string,
  { revokeTokens = false } = {},
): Promise<string> {
  const password = randomBytes(12).toString("base64url");
  await replacePassword(await requirePerson(id), { password, by: admin, revokeTokens });
  return password;
}

async function change(admin: Actor, id: string, standing: Standing, action: Action): Promise<void> {
  const changed = await changeStanding(db(), id, standing);
  if (changed === "last admin")
    throw new AppError("conflict", "They are the only administrator. Make another one first.");
  if (!changed) throw new AppError("not_found", "There is no such account.");
  await writeAudit(admin, action, { id, name: changed.email });
}

export async function requirePerson(id: string): Promise<User> {
  const user = await findUser(db(), id);
  if (!user) throw new AppError("not_found", "There is no such account.");
  return user;
}
