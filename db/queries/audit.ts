import { and, desc, eq, gte, ilike, lt, or } from "drizzle-orm";
import type { Database } from "../client.ts";
import { audit } from "../schema.ts";

export type AuditEntry = typeof audit.$inferSelect;
export type NewAuditEntry = Pick<AuditEntry, "actor" | "action"> &
  Partial<Pick<AuditEntry, "actorId" | "subject" | "subjectId">>;

export interface AuditFilter {
  action?: string;
  /** Part of who did it, or of whom it was done to. */
  text?: string;
  from?: Date;
  to?: Date;
  /** The id of the last entry of the page before. */
  before?: string;
}

export async function insertAudit(db: Database, entry: NewAuditEntry): Promise<void> {
  await db.insert(audit).values(entry);
}

/** Only what the table's trigger lets go: it is a year old at least. */
export async function deleteAuditBefore(db: Database, time: Date): Promise<void> {
  await db.delete(audit).where(lt(audit.createdAt, time));
}

/** Newest first. */
export async function listAudit(db: Database, filter: AuditFilter, most: number): Promise<AuditEntry[]> {
  const { action, text, from, to, before } = filter;
  const pattern = text && `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return db
    .select()
    .from(audit)
    .where(
      and(
        action ? eq(audit.action, action) : undefined,
        pattern ? or(ilike(audit.actor, pattern), ilike(audit.subject, pattern)) : undefined,
        from ? gte(audit.createdAt, from) : undefined,
        to ? lt(audit.createdAt, to) : undefined,
        before ? lt(audit.id, before) : undefined,
      ),
    )
    .orderBy(desc(audit.id))
    .limit(most);
}
