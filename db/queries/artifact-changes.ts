// Writing artifacts: versions are numbered, and the newest is marked, under a lock per user.
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { artifacts } from "../schema.ts";
import { type ArtifactRow, artifactBytes, itemColumns } from "./artifacts.ts";

export type NewArtifact = Pick<
  typeof artifacts.$inferInsert,
  | "userId"
  | "executionId"
  | "conversationId"
  | "door"
  | "image"
  | "source"
  | "path"
  | "name"
  | "pathKey"
  | "mime"
  | "kind"
  | "size"
  | "sha256"
  | "preview"
>;

/** What became of one: a new row, the one that has the same content already, or no room for it. */
export type Kept = { row: ArtifactRow; fresh: boolean } | "full";

/** Adds the next version of each path whose content is new, as far as the user's space lasts. In the order given. */
export async function insertArtifacts(
  db: Database,
  userId: string,
  given: Omit<NewArtifact, "userId">[],
  mostBytes: number,
): Promise<Kept[]> {
  return db.transaction(async (tx) => {
    // Two runs may end at once: numbering and counting take turns.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`artifacts ${userId}`}, 0))`);
    let left = mostBytes - (await artifactBytes(tx as Database, userId));
    const kept: Kept[] = [];
    for (const artifact of given) {
      const own = and(eq(artifacts.userId, userId), eq(artifacts.pathKey, artifact.pathKey));
      const [latest] = await tx
        .select({ ...itemColumns, sha256: artifacts.sha256 })
        .from(artifacts)
        .where(and(own, sql`${artifacts.latest}`));
      if (latest?.sha256.equals(artifact.sha256)) {
        kept.push({ row: latest, fresh: false });
        continue;
      }
      if (artifact.size > left) {
        kept.push("full");
        continue;
      }
      left -= artifact.size;
      if (latest)
        await tx
          .update(artifacts)
          .set({ latest: false })
          .where(and(own, sql`${artifacts.latest}`));
      const [row] = await tx
        .insert(artifacts)
        .values({ ...artifact, userId, version: (latest?.version ?? 0) + 1 })
        .returning(itemColumns);
      if (!row) throw new Error("An artifact could not be written.");
      kept.push({ row, fresh: true });
    }
    return kept;
  });
}

/** Deletes these, with all versions of their paths unless told otherwise; the contents they had are in the answer. */
export async function deleteArtifactRows(
  db: Database,
  userId: string,
  ids: string[],
  { onlyThese = false }: { onlyThese?: boolean } = {},
): Promise<{ id: string; sha256: Buffer }[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`artifacts ${userId}`}, 0))`);
    const chosen = and(eq(artifacts.userId, userId), inArray(artifacts.id, ids));
    const keys = (await tx.selectDistinct({ key: artifacts.pathKey }).from(artifacts).where(chosen)).map(
      ({ key }) => key,
    );
    if (keys.length === 0) return [];
    const paths = and(eq(artifacts.userId, userId), inArray(artifacts.pathKey, keys));
    const gone = await tx
      .delete(artifacts)
      .where(onlyThese ? chosen : paths)
      .returning({ id: artifacts.id, sha256: artifacts.sha256 });
    // Where the newest went, the one before it is the newest now.
    if (onlyThese)
      await tx.execute(sql`
        update artifacts set latest = true where id in (
          select distinct on (path_key) id from artifacts
          where user_id = ${userId} and path_key in ${keys}
          order by path_key, version desc)`);
    return gone;
  });
}

/** Makes every link given out so far worthless. The new epoch, or nothing if it isn't theirs. */
export async function revokeLinks(db: Database, userId: string, id: string): Promise<number | undefined> {
  const [row] = await db
    .update(artifacts)
    .set({ linkEpoch: sql`${artifacts.linkEpoch} + 1` })
    .where(and(eq(artifacts.id, id), eq(artifacts.userId, userId)))
    .returning({ epoch: artifacts.linkEpoch });
  return row?.epoch;
}

/** Which of these contents some artifact, anybody's, still has. */
export async function referencedBlobs(db: Database, hashes: Buffer[]): Promise<Buffer[]> {
  if (hashes.length === 0) return [];
  const rows = await db
    .selectDistinct({ sha256: artifacts.sha256 })
    .from(artifacts)
    .where(inArray(artifacts.sha256, hashes));
  return rows.map(({ sha256 }) => sha256);
}
