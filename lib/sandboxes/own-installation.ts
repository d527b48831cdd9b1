// An installation's id is one database's at an engine. A copy of a data directory brings the same id with it, and two that
// believe in it would take each other's containers; so whoever isn't surely the owner is refused, and touches nothing.
import type { Stats } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { databaseIdentity } from "#db/database-identity.ts";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { env } from "#env.ts";
import type { InstallationOwner } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { engine } from "../engine.ts";

/** Throws unless the id is this database's at the engine, which it becomes if it is nobody's so far. */
export async function requireOwnInstallation(installation: string): Promise<void> {
  const self = await ownIdentity();
  const owner = await engine().recordOwner(installation, self);
  const verdict = await compare(self, owner);
  if (verdict === "a copy" || verdict === "unknown") throw refusal(installation, verdict, owner);
  if (verdict === "moved") await takeInstallation(installation);
}

/** From now on it is this database's; what is written there about another is replaced. */
export async function takeInstallation(installation: string): Promise<void> {
  const self = await ownIdentity();
  await engine().forgetOwner(installation);
  const owner = await engine().recordOwner(installation, self);
  // Another was quicker in this very moment.
  if (!sameDatabase(self, owner)) throw refusal(installation, "unknown", owner);
}

async function ownIdentity(): Promise<InstallationOwner> {
  const { directory, ...identity } = await databaseIdentity(db());
  // What another machine calls a directory may exist here, too, and means nothing.
  const { DATABASE_URL, COVE_DATA_DIR } = env();
  const embedded = DATABASE_URL === undefined || DATABASE_URL === (await embeddedPostgresUrl(COVE_DATA_DIR));
  if (!embedded || directory === undefined) return identity;
  return { ...identity, directory: await realpath(directory), host: await machine() };
}

export type Verdict = "the owner" | "moved" | "a copy" | "unknown";

/** `isElsewhere` says whether the owner's files still lie where they were, and aren't our own by another path. */
export async function compare(
  self: InstallationOwner,
  owner: InstallationOwner,
  isElsewhere = liesElsewhere,
): Promise<Verdict> {
  const same = sameDatabase(self, owner);
  if (self.directory === undefined || self.host === undefined || self.host !== owner.host)
    return same ? "the owner" : "unknown";
  // What lies in the owner's own place now was put there instead of it, from a backup for one.
  if (self.directory === owner.directory) return same ? "the owner" : "moved";
  // A snapshot of a file system keeps even the times, but then both are there.
  return (await isElsewhere(self, owner)) ? "a copy" : "moved";
}

/** Without the right to ask for the time, copies of one cluster's files can't be told apart. */
function sameDatabase(one: InstallationOwner, other: InstallationOwner): boolean {
  const bothKnow = one.placedAt !== undefined && other.placedAt !== undefined;
  return (
    one.system === other.system &&
    one.database === other.database &&
    (!bothKnow || one.placedAt === other.placedAt)
  );
}

async function liesElsewhere(self: InstallationOwner, owner: InstallationOwner): Promise<boolean> {
  const [ownFile, ownersFile] = await Promise.all([firstFile(self), firstFile(owner)]);
  if (!ownersFile || (ownFile?.dev === ownersFile.dev && ownFile.ino === ownersFile.ino)) return false;
  return owner.placedAt === undefined || String(Math.floor(ownersFile.ctimeMs / 1000)) === owner.placedAt;
}

async function firstFile({ directory = "" }: InstallationOwner): Promise<Stats | undefined> {
  return stat(path.join(directory, "PG_VERSION")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

async function machine(): Promise<string> {
  return (await readFile("/etc/machine-id", "utf8").catch(() => "")).trim() || hostname();
}

const RENEW = "npm run -s cove -- installation renew";
const TAKE = "npm run -s cove -- installation take";

function refusal(installation: string, verdict: "a copy" | "unknown", owner: InstallationOwner): AppError {
  const where = owner.directory ? ` in ${owner.directory}` : "";
  const cause = { cause: { owner } };
  if (verdict === "a copy") {
    const problem = `This is a copy: at this engine the installation ${installation} is the database's${where}, which is still there.`;
    const remedy = `With the same settings, \`${RENEW}\` gives the copy an id of its own; its files stay with it.`;
    return new AppError("conflict", `${problem} Nothing was touched. ${remedy}`, cause);
  }
  const problem = `At this engine the installation ${installation} is another database's${where}, and whether that is still in use can't be seen from here.`;
  const remedy = `With the same settings, \`${RENEW}\` gives this one an id of its own; if the other is gone for good, \`${TAKE}\` hands the id to this one.`;
  return new AppError("conflict", `${problem} Nothing was touched. ${remedy}`, cause);
}
