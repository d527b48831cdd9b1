// Who changed what about people, access and limits. Written beside the change; what was done stands even if this can't be.
import { type AuditEntry, type AuditFilter, insertAudit, listAudit } from "#db/queries/audit.ts";
import { findUser } from "#db/queries/users.ts";
import { db } from "./database.ts";
import { log } from "./log.ts";

/** Everything that is written down, and how it reads. */
export const ACTIONS = {
  "user.added": "added the account",
  "user.invited": "invited",
  "user.invited_as_admin": "invited as administrator",
  "user.joined": "joined by invitation",
  "invitation.revoked": "took back the invitation of",
  "user.signed_in": "signed in",
  "user.disabled": "disabled",
  "user.enabled": "enabled",
  "user.promoted": "made administrator",
  "user.demoted": "took administration from",
  "user.password_reset": "reset the password of",
  "user.password_changed": "changed the password",
  "user.deleted": "deleted the account",
  "token.created": "made the token",
  "token.revoked": "revoked the token",
  "model_key.saved": "saved the model key",
  "model_key.removed": "removed the model key",
  "sandbox.stopped": "stopped the sandbox of",
  "sandbox.destroyed": "deleted the sandbox of",
  "host.allowed": "allowed sandboxes to reach",
  "host.removed": "no longer allows sandboxes to reach",
  "retention.applied": "removed by retention",
  "installation.renewed": "gave this installation the id",
  "installation.taken": "took over the installation",
  "backup.made": "made the backup",
  "backup.restored": "restored the backup",
} as const;

export type Action = keyof typeof ACTIONS;

export interface Actor {
  id?: string;
  email: string;
}

export const COMMAND_LINE: Actor = { email: "command line" };
export const SERVER: Actor = { email: "server" };

/** Whoever did it, or the id of a user who did it to what is their own. */
export async function writeAudit(
  by: Actor | string,
  action: Action,
  subject: { id?: string; name: string } = { name: "" },
): Promise<void> {
  try {
    const actor = typeof by === "string" ? await findUser(db(), by) : by;
    await insertAudit(db(), {
      actorId: actor?.id,
      actor: actor?.email ?? "somebody",
      action,
      subject: subject.name,
      subjectId: subject.id,
    });
  } catch (err) {
    log().error({ err, action }, "the audit log was not written");
  }
}

const PAGE = 50;

/** A page, newest first, and where the next one begins. */
export async function readAudit(filter: AuditFilter): Promise<{ entries: AuditEntry[]; next?: string }> {
  const entries = await listAudit(db(), filter, PAGE + 1);
  const shown = entries.slice(0, PAGE);
  return { entries: shown, ...(entries.length > PAGE && { next: shown.at(-1)?.id }) };
}

const EXPORTED = 1000;

/** All of it as CSV, line by line. */
export async function* exportAudit(filter: Omit<AuditFilter, "before">): AsyncGenerator<string> {
  yield "time,actor,action,subject\n";
  for (let before: string | undefined; ; ) {
    const entries = await listAudit(db(), { ...filter, ...(before && { before }) }, EXPORTED);
    for (const { createdAt, actor, action, subject } of entries)
      yield `${[createdAt.toISOString(), actor, action, subject].map(cell).join(",")}\n`;
    if (entries.length < EXPORTED) return;
    before = entries.at(-1)?.id;
  }
}

/** Quoted; and what a spreadsheet would take for a formula is text. */
function cell(value: string): string {
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${inert.replaceAll('"', '""')}"`;
}
