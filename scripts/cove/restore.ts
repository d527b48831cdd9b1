import path from "node:path";
import { takeInstallationLock } from "#db/installation-lock.ts";
import { installationName } from "#db/installation-name.ts";
import { env } from "#env.ts";
import { AppError } from "#lib/app-error.ts";
import { COMMAND_LINE, writeAudit } from "#lib/audit.ts";
import { type Manifest, readManifest, verifyParts } from "#lib/backup/manifest.ts";
import { requireEmpty, restore as restoreInto, secretOf } from "#lib/backup/restore.ts";
import { db } from "#lib/database.ts";
import { ensureDataDirectory } from "../data-directory.ts";
import { openSandboxesForTheMoment } from "./on-installation.ts";
import { parse } from "./parse.ts";
import { withDatabase } from "./with-database.ts";

/** A backup into this installation, which is empty. Everything is looked at before anything is changed. */
export async function restore(args: string[]) {
  const { positionals } = parse(args, ["folder"], {});
  const folder = path.resolve(positionals[0] ?? "");
  const { AUTH_SECRET, COVE_DATA_DIR } = env();
  report("The backup");
  const manifest = await readManifest(folder);
  const secret = await secretOf(folder, manifest, AUTH_SECRET);
  await verifyParts(folder, manifest);
  await ensureDataDirectory(COVE_DATA_DIR);
  const keepSecret = AUTH_SECRET === undefined;
  return withDatabase(async (url) => into({ url, folder, manifest, secret, keepSecret }), {
    migrated: false,
  });
}

interface Given {
  url: string;
  folder: string;
  manifest: Manifest;
  secret: string | undefined;
  keepSecret: boolean;
}

async function into(given: Given) {
  const { manifest, folder, url } = given;
  const dataDir = env().COVE_DATA_DIR;
  const lock = await takeInstallationLock(url, { patienceMs: 0, onLost: () => undefined });
  if (!lock)
    throw new AppError(
      "conflict",
      "A Cove server runs here. A backup is restored into an empty installation only.",
    );
  try {
    await requireEmpty(dataDir, url);
    const name = await installationName(dataDir);
    const openSandboxes = openSandboxesForTheMoment;
    await restoreInto({ ...given, db: db(), dataDir, name, openSandboxes, report }).catch((cause) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(
        `The restore did not finish: ${why}\nNothing is served from ${dataDir}. Remove it, empty its database, and restore again.`,
        { cause },
      );
    });
    await writeAudit(COMMAND_LINE, "backup.restored", { name: folder });
  } finally {
    await lock.release();
  }
  return {
    restored: folder,
    installation: await installationName(dataDir),
    createdAt: manifest.createdAt,
    rows: Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows])),
    artifactContents: manifest.blobs.length,
    workspaces: manifest.workspaces.length,
    lost: manifest.lost,
  };
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
