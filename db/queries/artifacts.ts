import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { artifacts, conversations, executionArtifacts, executions, users } from "../schema.ts";

export const itemColumns = {
  id: artifacts.id,
  path: artifacts.path,
  name: artifacts.name,
  mime: artifacts.mime,
  kind: artifacts.kind,
  size: artifacts.size,
  version: artifacts.version,
  source: artifacts.source,
  door: artifacts.door,
  executionId: artifacts.executionId,
  conversationId: artifacts.conversationId,
  preview: artifacts.preview,
  linkEpoch: artifacts.linkEpoch,
  createdAt: artifacts.createdAt,
};
export type ArtifactRow = Pick<typeof artifacts.$inferSelect, keyof typeof itemColumns>;

const contentColumns = { ...itemColumns, userId: artifacts.userId, sha256: artifacts.sha256 };
export type ArtifactContent = Pick<typeof artifacts.$inferSelect, keyof typeof contentColumns>;

export const ARTIFACT_SORTS = ["newest", "oldest", "name", "largest"] as const;
export type ArtifactSort = (typeof ARTIFACT_SORTS)[number];

export interface ArtifactFilter {
  kind?: string | undefined;
  door?: string | undefined;
  conversationId?: string | undefined;
  /** Part of the name or the path, in any case. */
  query?: string | undefined;
}

/** The last row of the page before: its id and what it was sorted by. */
export interface ArtifactKey {
  id: string;
  by?: string | number;
}

const byName = sql`lower(${artifacts.name})`;

/** A page of newest versions. Each order has an index of its own, so any page costs the same. */
export async function listArtifacts(
  db: Database,
  userId: string,
  filter: ArtifactFilter,
  page: { sort: ArtifactSort; after?: ArtifactKey | undefined; limit: number },
): Promise<ArtifactRow[]> {
  const { kind, door, conversationId, query } = filter;
  return db
    .select(itemColumns)
    .from(artifacts)
    .where(
      and(
        eq(artifacts.userId, userId),
        sql`${artifacts.latest}`,
        kind === undefined ? undefined : eq(artifacts.kind, kind),
        door === undefined ? undefined : eq(artifacts.door, door),
        conversationId === undefined ? undefined : eq(artifacts.conversationId, conversationId),
        query ? sql`position(lower(${query}) in lower(${artifacts.path})) > 0` : undefined,
        page.after && beyond(page.sort, page.after),
      ),
    )
    .orderBy(...ORDER[page.sort])
    .limit(page.limit);
}

const ORDER: Record<ArtifactSort, SQL[]> = {
  newest: [desc(artifacts.id)],
  oldest: [sql`${artifacts.id} asc`],
  name: [sql`${byName} asc`, sql`${artifacts.id} asc`],
  largest: [desc(artifacts.size), desc(artifacts.id)],
};

function beyond(sort: ArtifactSort, { id, by }: ArtifactKey): SQL {
  switch (sort) {
    case "newest":
      return sql`${artifacts.id} < ${id}`;
    case "oldest":
      return sql`${artifacts.id} > ${id}`;
    case "name":
      return sql`(${byName}, ${artifacts.id}) > (lower(${String(by)}), ${id}::uuid)`;
    case "largest":
      return sql`(${artifacts.size}, ${artifacts.id}) < (${Number(by)}::bigint, ${id}::uuid)`;
  }
}

export async function findArtifact(
  db: Database,
  userId: string,
  id: string,
): Promise<(ArtifactContent & { pathKey: Buffer; image: string | null }) | undefined> {
  const [row] = await db
    .select({ ...contentColumns, pathKey: artifacts.pathKey, image: artifacts.image })
    .from(artifacts)
    .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)));
  return row;
}

/** For a signed link, which stands for its owner as long as they are welcome. The signature is the caller's to check. */
export async function findLinkedArtifact(db: Database, id: string): Promise<ArtifactContent | undefined> {
  const [row] = await db
    .select(contentColumns)
    .from(artifacts)
    .innerJoin(users, eq(users.id, artifacts.userId))
    .where(and(eq(artifacts.id, id), isNull(users.disabledAt)));
  return row;
}

export async function findArtifacts(db: Database, userId: string, ids: string[]): Promise<ArtifactContent[]> {
  return db
    .select(contentColumns)
    .from(artifacts)
    .where(and(eq(artifacts.userId, userId), inArray(artifacts.id, ids)))
    .orderBy(desc(artifacts.id));
}

/** What one execution made, also where another had made the same before. */
export async function listExecutionArtifacts(
  db: Database,
  userId: string,
  executionId: string,
): Promise<ArtifactRow[]> {
  return db
    .select(itemColumns)
    .from(executionArtifacts)
    .innerJoin(artifacts, eq(artifacts.id, executionArtifacts.artifactId))
    .where(and(eq(executionArtifacts.executionId, executionId), eq(artifacts.userId, userId)))
    .orderBy(artifacts.id);
}

/** Every version of a path, newest first. */
export async function listVersions(db: Database, userId: string, pathKey: Buffer, most = 200) {
  return db
    .select({
      id: artifacts.id,
      version: artifacts.version,
      size: artifacts.size,
      mime: artifacts.mime,
      kind: artifacts.kind,
      executionId: artifacts.executionId,
      createdAt: artifacts.createdAt,
    })
    .from(artifacts)
    .where(and(eq(artifacts.userId, userId), eq(artifacts.pathKey, pathKey)))
    .orderBy(desc(artifacts.version))
    .limit(most);
}

/** The run that made it and the chat it happened in, as far as they are still there. */
export async function findProvenance(db: Database, userId: string, executionId: string) {
  const [row] = await db
    .select({
      executionId: executions.id,
      tool: executions.tool,
      arguments: executions.arguments,
      door: executions.door,
      status: executions.status,
      session: executions.session,
      durationMs: executions.durationMs,
      createdAt: executions.createdAt,
    })
    .from(executions)
    .where(and(eq(executions.id, executionId), eq(executions.userId, userId)));
  return row;
}

/** Through which door a run came, for what it leaves behind. */
export async function findOrigin(db: Database, userId: string, executionId: string) {
  const [row] = await db
    .select({ door: executions.door, conversationId: executions.conversationId })
    .from(executions)
    .where(and(eq(executions.id, executionId), eq(executions.userId, userId)));
  return row;
}

/** The chats that have artifacts, for a filter; those changed last come first. */
export async function listArtifactConversations(db: Database, userId: string, most = 200) {
  const having = db
    .selectDistinct({ id: artifacts.conversationId })
    .from(artifacts)
    .where(and(eq(artifacts.userId, userId), isNotNull(artifacts.conversationId)));
  return db
    .select({ id: conversations.id, title: conversations.title })
    .from(conversations)
    .where(
      and(
        eq(conversations.userId, userId),
        isNull(conversations.deletedAt),
        inArray(conversations.id, having),
      ),
    )
    .orderBy(desc(conversations.updatedAt))
    .limit(most);
}

export async function findConversationTitle(db: Database, userId: string, id: string) {
  const [row] = await db
    .select({ id: conversations.id, title: conversations.title })
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.userId, userId), isNull(conversations.deletedAt)));
  return row;
}

/** The least that one takes: a row, and a file with its place in a directory. */
export const LEAST_BYTES = 4096;

/** What all of a user's artifacts take, every version counted: one row, to be joined with what else is asked for. */
export function bytesOf(db: Database, userId: string) {
  const bytes = sql`coalesce(sum(greatest(${artifacts.size}, ${LEAST_BYTES})), 0)`.mapWith(Number);
  return db
    .select({ bytes: bytes.as("bytes") })
    .from(artifacts)
    .where(eq(artifacts.userId, userId));
}
