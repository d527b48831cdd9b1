// Writing artifacts: versions are numbered, and the newest is marked, under a lock per user.
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { v7 } from "uuid";
import type { Database } from "../client.ts";
import { artifacts, executionArtifacts, executions } from "../schema.ts";
import { type ArtifactRow, bytesOf, itemColumns, LEAST_BYTES } from "./artifacts.ts";

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

/** Adds the next version of each path whose content is new, as far as the user's space lasts. No path twice. In the order given. */
export async function insertArtifacts(
  db: Database,
  userId: string,
  added: Omit<NewArtifact, "userId">[],
  mostBytes: number,
): Promise<Kept[]> {
  if (added.length === 0) return [];
  return db.transaction(async (tx) => {
    // A run waits for this, and contents aren't flushed either: what a power failure takes is still in the workspace.
    await lockArtifacts(tx as Database, userId, { flush: false });
    const own = (keys: Buffer[]) =>
      and(eq(artifacts.userId, userId), inArray(artifacts.pathKey, keys), sql`${artifacts.latest}`);
    const used = bytesOf(tx as Database, userId).as("used");
    const before = await tx
      .select({
        bytes: used.bytes,
        row: { ...itemColumns, pathKey: artifacts.pathKey, sha256: artifacts.sha256 },
      })
      .from(used)
      .leftJoin(artifacts, own(added.map(({ pathKey }) => pathKey)));
    const latest = new Map(before.flatMap(({ row }) => (row ? [[row.pathKey.toString("hex"), row]] : [])));

    const isKnown = ({ pathKey, sha256 }: (typeof added)[number]) =>
      latest.get(pathKey.toString("hex"))?.sha256.equals(sha256) ?? false;
    let left = mostBytes - (before[0]?.bytes ?? 0);
    const fresh: FreshRow[] = [];
    const plan = added.map((artifact) => {
      const newest = latest.get(artifact.pathKey.toString("hex"));
      if (newest && isKnown(artifact)) return newest;
      const taken = Math.max(artifact.size, LEAST_BYTES);
      if (taken > left) return "full";
      left -= taken;
      const row = { ...artifact, id: v7(), userId, version: (newest?.version ?? 0) + 1 };
      fresh.push(row);
      return row.id;
    });
    const links = plan.flatMap((one, at) => {
      const executionId = added[at]?.executionId;
      return executionId && one !== "full"
        ? [{ executionId, artifactId: typeof one === "string" ? one : one.id }]
        : [];
    });
    const rows = await write(tx as Database, own(fresh.map(({ pathKey }) => pathKey)), fresh, links);
    return plan.map((one): Kept => {
      if (typeof one !== "string") return { row: one, fresh: false };
      const row = rows.get(one);
      return row ? { row, fresh: true } : "full";
    });
  });
}

type FreshRow = typeof artifacts.$inferInsert & { id: string };

/** The new ones in the place of those that were the newest, and each, new or not, to the run that made it: at one go. */
async function write(
  db: Database,
  replaced: SQL | undefined,
  fresh: FreshRow[],
  links: (typeof executionArtifacts.$inferInsert)[],
): Promise<Map<string, ArtifactRow>> {
  const link = () => db.insert(executionArtifacts).values(links).onConflictDoNothing();
  if (fresh.length === 0) {
    if (links.length > 0) await link();
    return new Map();
  }
  const demoted = db
    .$with("demoted")
    .as(db.update(artifacts).set({ latest: false }).where(replaced).returning({ id: artifacts.id }));
  const linked =
    links.length > 0 ? [db.$with("linked").as(link().returning({ id: executionArtifacts.artifactId }))] : [];
  const rows = await db
    .with(demoted, ...linked)
    .insert(artifacts)
    .values(fresh)
    .returning(itemColumns);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Deletes these, with all versions of their paths unless told otherwise; the contents they had are in the answer. */
export async function deleteArtifactRows(
  db: Database,
  userId: string,
  ids: string[],
  { onlyThese = false }: { onlyThese?: boolean } = {},
): Promise<{ id: string; sha256: Buffer }[]> {
  return db.transaction(async (tx) => {
    await lockArtifacts(tx as Database, userId);
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

/** Which of these contents some artifact or the output of some run, anybody's, still has. */
export async function referencedBlobs(db: Database, hashes: Buffer[]): Promise<Buffer[]> {
  if (hashes.length === 0) return [];
  const rows = await db
    .select({ sha256: artifacts.sha256 })
    .from(artifacts)
    .where(inArray(artifacts.sha256, hashes))
    .union(
      db
        .select({ sha256: sql<Buffer>`${executions.outputBlob}` })
        .from(executions)
        .where(inArray(executions.outputBlob, hashes)),
    );
  return rows.map(({ sha256 }) => sha256);
}

/** Two runs may end at once; numbering and counting are done one after the other. */
async function lockArtifacts(db: Database, userId: string, { flush = true } = {}): Promise<void> {
  await db.execute(sql`
    select set_config('synchronous_commit', ${flush ? "on" : "off"}, true),
      pg_advisory_xact_lock(hashtextextended(${`artifacts ${userId}`}, 0))`);
}
