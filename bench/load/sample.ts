// What an installation holds at a moment when nobody does anything: what it takes of the machine, and what it has lost track of.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import Docker from "dockerode";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { installationName } from "#db/installation-name.ts";
import { referencedBlobs } from "#db/queries/artifact-changes.ts";
import { BlobStore } from "#lib/artifacts/blob-store.ts";
import type { Cove } from "../../tests/support/cove.ts";
import { databaseOf } from "../../tests/support/people.ts";
import { residentBytes } from "../../tests/support/server-memory.ts";

const MB = 2 ** 20;

export interface Sample {
  residentMB: number;
  heapMB: number;
  descriptors: number;
  containers: number;
  loopDevices: number;
  /** Rows, containers and disks that belong to nobody, and contents no artifact has. */
  ownerless: number;
  unfinished: number;
}

export async function takeSample(cove: Cove, pid: number, collect: () => Promise<number>): Promise<Sample> {
  const { db } = await databaseOf(cove.dataDir);
  const sandboxes = await containersOf(cove.dataDir);
  // Collected first: what it had is no growth.
  const heapMB = (await collect()) / MB;
  const ownerless = await Promise.all([
    rowsWithoutOwner(db),
    withoutRow(db, sandboxes),
    withoutRow(db, await disksOf(cove.dataDir)),
    blobsWithoutArtifact(db, cove.dataDir),
  ]);
  return {
    residentMB: (await residentBytes(pid)) / MB,
    heapMB,
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    containers: sandboxes.length,
    loopDevices: await loopDevicesIn(cove.dataDir),
    ownerless: ownerless.reduce((sum, count) => sum + count, 0),
    unfinished: await count(db, sql`select count(*) as n from executions where finished_at is null`),
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
  let found = await count(db, sql`select count(*) as n from sandboxes where user_id is null and not offered`);
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
  for await (const some of new BlobStore(path.join(dataDir, "blobs")).list())
    found += some.length - (await referencedBlobs(db, some)).length;
  return found;
}

async function count(db: Database, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await db.execute<{ n: string }>(query);
  return Number(rows[0]?.n);
}
