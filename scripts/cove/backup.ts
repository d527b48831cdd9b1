import { readFile } from "node:fs/promises";
import path from "node:path";
import { findLockHolder, takeInstallationLock } from "#db/installation-lock.ts";
import { giveOrder } from "#db/orders.ts";
import { env } from "#env.ts";
import type { Order } from "#lib/admin/orders.ts";
import { COMMAND_LINE, writeAudit } from "#lib/audit.ts";
import { backUp } from "#lib/backup/back-up.ts";
import type { Manifest } from "#lib/backup/manifest.ts";
import { packWorkspace } from "#lib/backup/packed-workspace.ts";
import { db } from "#lib/database.ts";
import type { Sandboxes } from "#sandbox/index.ts";
import { openSandboxesForTheMoment } from "./on-installation.ts";
import { parse } from "./parse.ts";

// A large workspace on a slow disk takes its time.
const PACK_PATIENCE_MS = 3_600_000;
const LOOK_MS = 2_000;

/** Everything of this installation into a new folder, whether a server runs or not. */
export async function backup(args: string[], url: string) {
  const { positionals } = parse(args, ["folder"], {});
  const folder = path.resolve(positionals[0] ?? "");
  const lock = await takeInstallationLock(url, { patienceMs: 0, onLost: () => undefined });
  let sandboxes: Promise<Sandboxes> | undefined;
  // The server does it, if one runs: it alone knows what goes on. Otherwise this is the owner for the moment.
  const pack = async (userId: string, name: string) => {
    if (!lock) return havePacked(url, { verb: "pack", userId, name });
    sandboxes ??= openSandboxesForTheMoment();
    return packWorkspace(await sandboxes, userId, name);
  };
  try {
    const secret = await ownSecret();
    const manifest = await backUp({ url, folder, secret, pack, report });
    await writeAudit(COMMAND_LINE, "backup.made", { name: folder });
    if (secret !== undefined) report(`${folder} holds the secret of this installation: ${KEEP_IT}`);
    if (env().AUTH_SECRET) report(`${folder} does not hold AUTH_SECRET, which you set yourself: ${NEEDED}`);
    return summaryOf(folder, manifest);
  } finally {
    await (await sandboxes?.catch(() => undefined))?.close("keep");
    await lock?.release();
  }
}

/** An order to a server that ends is forgotten, and nobody would answer. */
async function havePacked(url: string, order: Order): Promise<void> {
  const server = await findLockHolder(db());
  const ended = new AbortController();
  const watch = setInterval(async () => {
    const now = await findLockHolder(db()).catch(() => undefined);
    if (now !== server) ended.abort();
  }, LOOK_MS);
  try {
    await giveOrder(url, order, PACK_PATIENCE_MS, ended.signal);
  } catch (error) {
    throw ended.signal.aborted ? new Error("The server ended meanwhile.") : error;
  } finally {
    clearInterval(watch);
  }
}

const KEEP_IT = "whoever has it can sign in as anybody and read everything. Keep it accordingly.";
const NEEDED = "restoring needs it, so keep it, too.";

/** The one that Cove made. An operator's own is nothing that a backup should spread. */
async function ownSecret(): Promise<string | undefined> {
  const { AUTH_SECRET, COVE_DATA_DIR } = env();
  if (AUTH_SECRET) return undefined;
  return readFile(path.join(COVE_DATA_DIR, "secret"), "utf8").catch(() => undefined);
}

function summaryOf(folder: string, { tables, workspaces, blobs, lost, secret, createdAt }: Manifest) {
  for (const { userId, why } of lost.workspaces) report(`✗ The workspace of ${userId} is missing: ${why}`);
  if (lost.blobs.length > 0) report(`✗ The contents of ${lost.blobs.length} artifacts were lost before.`);
  // A script is to notice; what is there is whole.
  if (lost.workspaces.length > 0) process.exitCode = 1;
  return {
    folder,
    createdAt,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    artifactContents: blobs.length,
    workspaces: workspaces.length,
    secret: secret !== undefined,
    lost,
  };
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
