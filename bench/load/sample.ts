// What an installation holds at a moment when nobody does anything: what it takes of the machine, and what it has lost track of.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import Docker from "dockerode";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { installationName } from "#db/installation-name.ts";
import { referencedBlobs } from "#db/queries/artifact-changes.ts";
import { LocalBlobStore } from "#lib/blobs/local-blob-store.ts";
import type { Cove } from "../../tests/support/cove.ts";
import { databaseOf } from "../../tests/support/people.ts";
import type { ServerHeap } from "./server-heap.ts";
import { type Held, held } from "./watch-memory.ts";

export interface Sample extends Held {
  descriptors: number;
  containers: number;
  loopDevices: number;
  unfinished: number;
  /** What belongs to nobody: rows, containers and disks without a sandbox, contents no artifact has. */
  ownerless: Record<"rows" | "containers" | "disks" | "blobs", number>;
}

export async function takeSample(cove: Cove, pid: number, heap: ServerHeap): Promise<Sample> {
  const { db } = await databaseOf(cove.dataDir);
  const sandboxes = await containersOf(cove.dataDir);
  return {
    ...(await held(pid, heap)),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    containers: sandboxes.length,
    loopDevices: await loopDevicesIn(cove.dataDir),
    unfinished: await count(db, sql`select count(*) as n from executions where finished_at is null`),
    ownerless: {
      rows: await rowsWithoutOwner(db),
      containers: await withoutRow(db, sandboxes),
      disks: await withoutRow(db, await disksOf(cove.dataDir)),
      blobs: await blobsWithoutArtifact(db, cove.dataDir),
    },
  };
}

/** Ids of the sandboxes that have a container. */
async function containersOf(dataDir: string): Promise<string[]> {
  const filters = JSON.stringify({ label: [`cove=${await installationName(dataDir)}`, "cove.role=sandbox"] });
  const found = await new Docker().listContainers({ all: true, filters });
  return found.map(({ Labels }) => Labels["cove.sandbox"] ?? "");
}

async function disksOf(dataDir: string): Promise<string[]> {
  const names = await readdir(path.join(dataDir, "sandboxes", "disks")).catch(() => []);
  return names.filter((name) => name.endsWith(".img")).map((name) => name.slice(0, -".img".length));
}

async function loopDevicesIn(dataDir: string): Promise<number> {
  const devices = (await readdir("/sys/block")).filter((name) => name.startsWith("loop"));
  const files = await Promise.all(
    devices.map((name) => readFile(`/sys/block/${name}/loop/backing_file`, "utf8").catch(() => "")),
  );
  return files.filter((file) => file.startsWith(`${dataDir}/`)).length;
}

/** Every table that says whose a row is; and sandboxes that are neither somebody's nor in the pool. */
async function rowsWithoutOwner(db: Database): Promise<number> {
  const { rows: tables } = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id'`);
  // One that is being made for the pool is nobody's yet.
  let found = await count(
    db,
    sql`select count(*) as n from sandboxes
        where user_id is null and not offered and created_at < now() - interval '2 minutes'`,
  );
  for (const { name } of tables) {
    found += await count(
      db,
      sql`select count(*) as n from ${sql.identifier(name)} as one where one.user_id is not null
          and not exists (select 1 from users where users.id = one.user_id)`,
    );
  }
  return found;
}

async function withoutRow(db: Database, ids: string[]): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`select id from sandboxes`);
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id)).length;
}

async function blobsWithoutArtifact(db: Database, dataDir: string): Promise<number> {
  let found = 0;
  for await (const some of new LocalBlobStore(path.join(dataDir, "blobs")).list())
    found += some.length - (await referencedBlobs(db, some)).length;
  return found;
}

async function count(db: Database, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await db.execute<{ n: string }>(query);
  return Number(rows[0]?.n);
}
