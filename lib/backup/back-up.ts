// An installation as a folder of plain files: its rows as they were at one moment, the contents of artifacts by their hash, each
// person's files as they were a moment later.
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { takeBackupLock } from "#db/backup/backup-lock.ts";
import { openSnapshot, type Snapshot } from "#db/backup/snapshot.ts";
import { tableNames } from "#db/backup/tables.ts";
import packageJson from "#package.json" with { type: "json" };
import { AppError } from "../app-error.ts";
import { blobProblem } from "../blobs/blob-store.ts";
import { blobs } from "../blobs/blobs.ts";
import { writeChecked } from "./checked-file.ts";
import { blobFile, FORMAT, MANIFEST, type Manifest, SECRET, tableFile, workspaceFile } from "./manifest.ts";
import { packedWorkspace } from "./packed-workspace.ts";

export interface BackUpOptions {
  url: string;
  folder: string;
  /** What the backup is to hold of it: nothing if the operator keeps it elsewhere. */
  secret?: string;
  /** Has a workspace packed under this name. */
  pack: (userId: string, name: string) => Promise<void>;
  report: (line: string) => void;
}

/** Named otherwise until it is whole: what is found under its name is a backup. */
export async function backUp({ folder, ...options }: BackUpOptions): Promise<Manifest> {
  if (await stat(folder).catch(() => undefined))
    throw new AppError(
      "conflict",
      `There is something at ${folder} already. Name a folder that is not there yet.`,
    );
  const lock = await takeBackupLock(options.url);
  if (!lock) throw new AppError("conflict", "Another backup is being made. Wait for its end.");
  const unfinished = `${folder}.unfinished-${randomUUID().slice(0, 8)}`;
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    const manifest = await writeParts(unfinished, options);
    await writeChecked(path.join(unfinished, MANIFEST), [`${JSON.stringify(manifest, null, 2)}\n`]);
    await rename(unfinished, folder);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

type Parts = Omit<BackUpOptions, "folder">;

async function writeParts(folder: string, { url, secret, pack, report }: Parts): Promise<Manifest> {
  const createdAt = new Date().toISOString();
  const snapshot = await openSnapshot(url);
  try {
    report("The database");
    const tables = await writeTables(folder, snapshot);
    report("The contents of artifacts");
    const contents = await copyBlobs(folder, snapshot);
    const files = await packWorkspaces(folder, snapshot.owners, pack, report);
    return {
      ...{ format: FORMAT, cove: packageJson.version, createdAt, migration: snapshot.migration },
      ...(snapshot.installation && { keyCheck: snapshot.installation.keyCheck }),
      ...(secret !== undefined && { secret: await writeChecked(path.join(folder, SECRET), [secret]) }),
      ...{ tables, workspaces: files.packed, blobs: contents.copied },
      lost: { blobs: contents.lost, workspaces: files.lost },
    };
  } finally {
    await snapshot.close();
  }
}

async function writeTables(folder: string, snapshot: Snapshot): Promise<Manifest["tables"]> {
  const tables: Manifest["tables"] = [];
  for (const name of tableNames()) {
    let rows = 0;
    async function* lines() {
      for await (const row of snapshot.rows(name)) {
        rows += 1;
        yield `${row}\n`;
      }
    }
    const checksum = await writeChecked(path.join(folder, tableFile(name)), lines());
    tables.push({ name, rows, ...checksum });
  }
  return tables;
}

/** All there are: which rows refer to which is the database's business. */
async function copyBlobs(folder: string, snapshot: Snapshot): Promise<{ copied: string[]; lost: string[] }> {
  const copied = new Set<string>();
  for await (const some of blobs().list()) {
    for (const sha256 of some) {
      const hash = sha256.toString("hex");
      const content = await blobs()
        .open(sha256)
        .catch((error) => {
          if (blobProblem(error) !== "lost") throw error;
        });
      if (!content) continue;
      const written = await writeChecked(path.join(folder, blobFile(hash)), content);
      if (written.sha256 === hash) copied.add(hash);
    }
  }
  const lost: string[] = [];
  for await (const hash of snapshot.contents()) if (!copied.has(hash)) lost.push(hash);
  return { copied: [...copied], lost };
}

/** One that can't be read is named, and the others are packed. */
async function packWorkspaces(
  folder: string,
  owners: string[],
  pack: BackUpOptions["pack"],
  report: BackUpOptions["report"],
) {
  const packed: Manifest["workspaces"] = [];
  const lost: Manifest["lost"]["workspaces"] = [];
  for (const [index, userId] of owners.entries()) {
    report(`Workspace ${index + 1} of ${owners.length}`);
    const name = randomUUID();
    try {
      const why = await pack(userId, name).then(
        () => undefined,
        (error) => (error instanceof Error ? error.message : String(error)),
      );
      if (why !== undefined) {
        lost.push({ userId, why });
        continue;
      }
      const content = createReadStream(packedWorkspace(name));
      packed.push({ userId, ...(await writeChecked(path.join(folder, workspaceFile(userId)), content)) });
    } finally {
      await rm(packedWorkspace(name), { force: true });
    }
  }
  return { packed, lost };
}
