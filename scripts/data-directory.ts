// The data directory: that it is there, writable and has room, and the secret that is kept in it.
import { randomBytes } from "node:crypto";
import { access, constants, mkdir, readFile, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { UNFINISHED } from "#lib/backup/unfinished.ts";

// Less than this, and Postgres, the build or the first workspace would fail halfway.
const LEAST_FREE_BYTES = 2 ** 30;

export async function ensureDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o755 });
    await access(directory, constants.W_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new Error(`The data directory can't be used: ${reason}\nChoose another with COVE_DATA_DIR.`, {
      cause,
    });
  }
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < LEAST_FREE_BYTES) {
    const megabytes = Math.floor((bavail * bsize) / 2 ** 20);
    throw new Error(
      `Only ${megabytes} MB are free in ${directory}, and Cove needs at least 1 GB to start. ` +
        "Free some space, or choose another place with COVE_DATA_DIR.",
    );
  }
}

/** A restore that was cut off leaves half an installation, which would look as if the rest were lost. */
export async function requireFinishedRestore(directory: string): Promise<void> {
  const isUnfinished = await access(path.join(directory, UNFINISHED)).then(
    () => true,
    () => false,
  );
  if (isUnfinished)
    throw new Error(
      `A restore into ${directory} did not finish. Remove it, empty its database, and restore again.`,
    );
}

/** The secret of this installation: given, or made once and kept where only its owner can read it. */
export async function ensureSecret(directory: string, given: string | undefined): Promise<string> {
  if (given) return given;
  const file = path.join(directory, "secret");
  try {
    // `wx` makes two starts at the same time agree: one writes, the other reads.
    await writeFile(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = (await readFile(file, "utf8")).trim();
  if (secret.length < 32) {
    throw new Error(`${file} does not hold a secret any more. Put the old file back, or set AUTH_SECRET.`);
  }
  return secret;
}
