// A backup back into an installation that is empty: its rows, the contents of artifacts, and each person's files in a sandbox
// that is new, so that nothing collides with what the backup was made of.
import { timingSafeEqual } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { v7 } from "uuid";
import { isEmptyDatabase, loadTables } from "#db/backup/load-tables.ts";
import type { Database } from "#db/client.ts";
import { migrate, migrateUpTo } from "#db/migrate.ts";
import type { Sandboxes } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { blobs } from "../blobs/blobs.ts";
import { deriveKey } from "../installation.ts";
import { openPlain } from "./checked-file.ts";
import { blobFile, type Manifest, SECRET, tableFile, workspaceFile } from "./manifest.ts";
import { UNFINISHED } from "./unfinished.ts";

// Of an installation that ran: the rest of the data directory is made before that, or is its name.
const TRACES = ["secret", "blobs", "sandboxes", UNFINISHED];

export interface RestoreOptions {
  url: string;
  db: Database;
  folder: string;
  manifest: Manifest;
  dataDir: string;
  /** The installation's own id from now on. */
  name: string;
  secret: string | undefined;
  /** Whether the secret is to be kept in the data directory. */
  keepSecret: boolean;
  /** Opened once there are rows that say whose sandboxes there are. */
  openSandboxes: () => Promise<Sandboxes>;
  report: (line: string) => void;
}

/**
 * The one the installation was made with: given, or the backup's own. Nothing else opens what people entrusted to it. One that
 * was never started has none yet.
 */
export async function secretOf(
  folder: string,
  { secret, keyCheck }: Manifest,
  given?: string,
): Promise<string | undefined> {
  const found = given ?? (secret && (await readFile(path.join(folder, SECRET), "utf8")).trim());
  if (!found && !keyCheck) return undefined;
  if (!found)
    throw refusal(
      "This backup holds no secret. Set AUTH_SECRET to the one its installation had, and restore again.",
    );
  const check = deriveKey(found, "cove key check");
  if (keyCheck && !timingSafeEqual(check, Buffer.from(keyCheck, "hex")))
    throw refusal(
      "AUTH_SECRET is not the one that the installation of this backup had. Nothing was restored.",
    );
  return found;
}

/** Looks, and changes nothing. */
export async function requireEmpty(dataDir: string, url: string): Promise<void> {
  const entries = await readdir(dataDir).catch((): string[] => []);
  const trace = TRACES.find((name) => entries.includes(name));
  if (trace === UNFINISHED)
    throw refusal(
      `A restore into ${dataDir} did not finish. Remove it, empty its database, and restore again.`,
    );
  if (trace) throw refusal(`${dataDir} is not empty: it has \`${trace}\`. ${ELSEWHERE}`);
  if (!(await isEmptyDatabase(url)))
    throw refusal(`There is an installation in this database already. ${ELSEWHERE}`);
}

const ELSEWHERE =
  "A backup is restored into an empty installation only: name another COVE_DATA_DIR, and another DATABASE_URL if you set one.";

export async function restore({
  url,
  db,
  folder,
  manifest,
  report,
  ...options
}: RestoreOptions): Promise<void> {
  const { dataDir, secret, keepSecret } = options;
  const mark = path.join(dataDir, UNFINISHED);
  await writeFile(mark, "", { flag: "wx" });
  if (secret && keepSecret)
    await writeFile(path.join(dataDir, "secret"), secret, { flag: "wx", mode: 0o600 });
  report("The database");
  await migrateUpTo(db, manifest.migration);
  const tables = manifest.tables.map(({ name }) => ({
    name,
    rows: () => rowsOf(path.join(folder, tableFile(name)), rewriterOf(name, manifest, options.name)),
  }));
  await loadTables(url, tables);
  await migrate(db);
  report("The contents of artifacts");
  for (const hash of manifest.blobs) await putBlob(folder, hash);
  await fillWorkspaces(folder, manifest.workspaces, options.openSandboxes, report);
  await rm(mark);
}

type Row = Record<string, unknown>;
/** The row that takes its place, or none. */
type Rewrite = (row: Row) => Row | undefined;

/** Two tables say which installation this is and which sandboxes it has: both are others here. */
function rewriterOf(table: string, { workspaces }: Manifest, installation: string): Rewrite | undefined {
  if (table === "installation") return (row) => ({ ...row, id: installation });
  if (table !== "sandboxes") return undefined;
  const packed = new Set(workspaces.map(({ userId }) => userId));
  return (row) => (packed.has(String(row.user_id)) ? { ...row, id: v7(), offered: false } : undefined);
}

async function* rowsOf(file: string, rewrite?: Rewrite): AsyncGenerator<string> {
  const input = (await openPart(file)).createReadStream({ encoding: "utf8" });
  for await (const line of createInterface({ input, crlfDelay: 0 })) {
    const row = rewrite ? rewrite(JSON.parse(line)) : undefined;
    if (!rewrite) yield line;
    else if (row) yield JSON.stringify(row);
  }
}

async function putBlob(folder: string, hash: string): Promise<void> {
  const put = await blobs().put((await openPart(path.join(folder, blobFile(hash)))).createReadStream());
  put.release();
  if (put.sha256.toString("hex") !== hash)
    throw new Error(`The backup changed while it was restored: ${hash}.`);
}

async function fillWorkspaces(
  folder: string,
  workspaces: Manifest["workspaces"],
  open: RestoreOptions["openSandboxes"],
  report: RestoreOptions["report"],
): Promise<void> {
  if (workspaces.length === 0) return;
  const sandboxes = await open();
  try {
    for (const [index, { userId }] of workspaces.entries()) {
      report(`Workspace ${index + 1} of ${workspaces.length}`);
      const archive = await openPart(path.join(folder, workspaceFile(userId)));
      await sandboxes.unpack(userId, archive.createReadStream());
    }
  } finally {
    await sandboxes.close("stop");
  }
}

async function openPart(file: string) {
  const opened = await openPlain(file);
  if (!opened) throw new Error(`${file} is gone: the backup changed while it was restored.`);
  return opened;
}

function refusal(message: string): AppError {
  return new AppError("conflict", message);
}
