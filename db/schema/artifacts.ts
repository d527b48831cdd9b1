import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, createdAt, id } from "./columns.ts";
import { conversations } from "./conversations.ts";
import { executions } from "./executions.ts";
import { owner } from "./people.ts";

/** What runs made: a row for each version of each file, and for each picture a cell displayed. Contents are blobs. */
export const artifacts = pgTable(
  "artifacts",
  {
    id: id(),
    userId: owner(),
    // Provenance: the run that made it first. That may be deleted from the history; the artifact stays.
    executionId: uuid().references(() => executions.id, { onDelete: "set null" }),
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    door: text().notNull(),
    image: text(),
    // "file" of the workspace, or "result" of a cell.
    source: text().notNull(),
    // For people: bytes that aren't UTF-8 and control characters are visible escapes.
    path: text().notNull(),
    name: text().notNull(),
    // SHA-256 of the path's bytes: paths are longer than an index takes, and not always text.
    pathKey: bytea().notNull(),
    version: integer().notNull(),
    // The newest version of its path, which is what lists show.
    latest: boolean().notNull().default(true),
    mime: text().notNull(),
    kind: text().notNull(),
    size: bigint({ mode: "number" }).notNull(),
    sha256: bytea().notNull(),
    // The first lines of what is text, for a thumbnail.
    preview: text(),
    // Signed links carry it: counting up revokes all that were given out.
    linkEpoch: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("artifacts_version").on(t.userId, t.pathKey, t.version),
    index("artifacts_newest").on(t.userId, t.id).where(sql`${t.latest}`),
    index("artifacts_kind").on(t.userId, t.kind, t.id).where(sql`${t.latest}`),
    index("artifacts_name").on(t.userId, sql`lower(${t.name})`, t.id).where(sql`${t.latest}`),
    index("artifacts_size").on(t.userId, t.size, t.id).where(sql`${t.latest}`),
    // What a user's artifacts take, every version counted, without reading the rows.
    index("artifacts_bytes").on(t.userId, t.size),
    index().on(t.executionId),
    index().on(t.conversationId),
    index().on(t.sha256),
  ],
);

/** What each run left behind. Content that was there already is no new artifact, and still is what the run made. */
export const executionArtifacts = pgTable(
  "execution_artifacts",
  {
    executionId: uuid()
      .notNull()
      .references(() => executions.id, { onDelete: "cascade" }),
    artifactId: uuid()
      .notNull()
      .references(() => artifacts.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.executionId, t.artifactId] }), index().on(t.artifactId)],
);
