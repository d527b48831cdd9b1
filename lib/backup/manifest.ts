// What a backup is: the list of its parts with their hashes. Without it, or with one part missing, it is none.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { migrationTags } from "#db/migrate.ts";
import { AppError } from "../app-error.ts";
import { checksumOf } from "./checked-file.ts";

export const FORMAT = 1;
export const MANIFEST = "manifest.json";
export const SECRET = "secret";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const checksum = z.object({ size: z.int().min(0), sha256 });

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of Cove that made it, and when. */
  cove: z.string().max(100),
  createdAt: z.iso.datetime(),
  /** Where the tables were; an older backup is migrated from there. */
  migration: z.string().regex(/^[\w-]{1,100}$/),
  /** Tells the right AUTH_SECRET from another. Missing if it was never started. */
  keyCheck: sha256.optional(),
  secret: checksum.optional(),
  tables: z.array(
    checksum.extend({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/), rows: z.int().min(0) }),
  ),
  workspaces: z.array(checksum.extend({ userId: z.uuid() })),
  blobs: z.array(sha256),
  /** What was missing already: contents of artifacts, and workspaces that could not be read. */
  lost: z.object({
    blobs: z.array(sha256),
    workspaces: z.array(z.object({ userId: z.uuid(), why: z.string() })),
  }),
});
export type Manifest = z.infer<typeof manifest>;

export const tableFile = (name: string) => path.join("tables", `${name}.ndjson`);
export const workspaceFile = (userId: string) => path.join("workspaces", `${userId}.tar`);
export const blobFile = (hash: string) => path.join("blobs", hash.slice(0, 2), hash);

/** The manifest of a backup that this version can restore. Every name in it is made here, so none leads elsewhere. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, MANIFEST), "utf8").catch((cause) => {
    throw refusal(`There is no finished backup in ${folder}: it has no ${MANIFEST}.`, cause);
  });
  const values = attempt(() => JSON.parse(text));
  const { format, cove } =
    z.looseObject({ format: z.number(), cove: z.string() }).safeParse(values).data ?? {};
  if (format !== undefined && format > FORMAT) throw newer(cove);
  const parsed = manifest.safeParse(values);
  if (!parsed.success) throw refusal(`${MANIFEST} is damaged. Nothing was restored.`, parsed.error);
  if (!(await migrationTags()).includes(parsed.data.migration)) throw newer(cove);
  return parsed.data;
}

/** Reads every part once. The first that isn't as it was written is named. */
export async function verifyParts(
  folder: string,
  { secret, tables, workspaces, blobs }: Manifest,
): Promise<void> {
  const parts: [file: string, expected: { size?: number; sha256: string }][] = [
    ...(secret ? [[SECRET, secret] as [string, typeof secret]] : []),
    ...tables.map((table): [string, typeof table] => [tableFile(table.name), table]),
    ...workspaces.map((one): [string, typeof one] => [workspaceFile(one.userId), one]),
    ...blobs.map((hash): [string, { sha256: string }] => [blobFile(hash), { sha256: hash }]),
  ];
  for (const [file, expected] of parts) {
    const actual = await checksumOf(path.join(folder, file));
    if (!actual) throw refusal(`${file} is missing from the backup. Nothing was restored.`);
    if (actual.sha256 !== expected.sha256 || (expected.size ?? actual.size) !== actual.size)
      throw refusal(`${file} of the backup is damaged. Nothing was restored.`);
  }
}

function newer(version: string | undefined): AppError {
  return refusal(
    `This backup was made by a newer version of Cove (${version ?? "unknown"}). Restore it with that version, or a later one.`,
  );
}

function refusal(message: string, cause?: unknown): AppError {
  return new AppError("bad_request", message, { cause });
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}
