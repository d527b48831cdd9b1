// A Postgres of our own: binaries from npm, data in the data directory, reached over a unix socket only,
// so there is no port to collide with and nothing to reach from the network.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  access,
  appendFile,
  chmod,
  chown,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Place, postgresPlace } from "./postgres-place.ts";

export interface EmbeddedPostgres {
  url: string;
  /** False when a server was already running there: somebody else's to stop, or left behind by a killed parent. */
  started: boolean;
  /** Set when the data could not live in the data directory. */
  movedTo?: string;
  stop(): Promise<void>;
}

const exec = promisify(execFile);
const ORPHANS_PATIENCE_MS = 15_000;

export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const place = await postgresPlace(dataDir);
  const socket = await socketDirectory(place);
  await createCluster(place);
  await writeSettings(place, socket);
  const running = await isRunning(place);
  if (!running) {
    await removeStaleLocks(place, socket);
    await start(place);
  }
  return {
    url: urlOf(socket),
    started: !running,
    movedTo: place.moved ? place.directory : undefined,
    stop: () => stop(place, socket),
  };
}

/** Where the embedded Postgres of this data directory answers, if it runs. Starts and changes nothing. */
export async function embeddedPostgresUrl(dataDir: string): Promise<string | undefined> {
  const place = await postgresPlace(dataDir);
  return (await isRunning(place)) ? urlOf(await socketDirectory(place)) : undefined;
}

function urlOf(socket: string): string {
  return `postgresql://cove@localhost/cove?host=${encodeURIComponent(socket)}`;
}

/** Makes the cluster beside its final place and renames it, so that a killed `initdb` leaves nothing half-done. */
async function createCluster(place: Place): Promise<void> {
  if (await exists(path.join(place.data, "PG_VERSION"))) return;
  const fresh = `${place.data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await run(place, "initdb", [
    `--pgdata=${fresh}`,
    "--username=cove",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ]);
  await appendFile(path.join(fresh, "postgresql.conf"), "include_if_exists = 'cove.conf'\n");
  await createDatabase(place, fresh);
  await rename(fresh, place.data);
}

/** Single-user mode needs no running server, and no connection to a database that isn't ours. */
async function createDatabase(place: Place, cluster: string): Promise<void> {
  const postgres = exec(
    path.join(place.binaries, "postgres"),
    ["--single", "-D", cluster, "postgres"],
    place.as,
  );
  postgres.child.stdin?.end("create database cove\n");
  await postgres;
}

/** Written at every start, because a clone may have been moved. */
async function writeSettings(place: Place, socket: string): Promise<void> {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socket,
    unix_socket_permissions: "0700",
    shared_buffers: "64MB",
    jit: "off",
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  await writeFile(path.join(place.data, "cove.conf"), lines.join(""));
}

/** The directory's mode is the lock on the door: only its owner and root can connect. */
async function socketDirectory(place: Place): Promise<string> {
  const beside = path.join(place.directory, "socket");
  // A unix socket's path has 107 bytes at most, `.s.PGSQL.5432` included.
  const short = path.join(tmpdir(), `cove-${createHash("sha256").update(beside).digest("hex").slice(0, 12)}`);
  const directory = Buffer.byteLength(beside) <= 90 ? beside : short;
  await mkdir(directory, { recursive: true });
  if (place.as) await chown(directory, place.as.uid, place.as.gid);
  await chmod(directory, 0o700);
  return directory;
}

async function isRunning(place: Place): Promise<boolean> {
  if (!(await isOurServer(place))) return false;
  return run(place, "pg_ctl", ["status", "-D", place.data]).then(
    () => true,
    () => false,
  );
}

/** Postgres refuses to start over lock files whose process number lives on, be it as a stranger or as a zombie. */
async function removeStaleLocks(place: Place, socket: string): Promise<void> {
  if (await isOurServer(place)) return;
  await rm(path.join(place.data, "postmaster.pid"), { force: true });
  await rm(path.join(socket, ".s.PGSQL.5432.lock"), { force: true });
}

/** The process named in the pid file, if it really is the Postgres of this cluster: that one works in its data directory. */
async function isOurServer(place: Place): Promise<boolean> {
  const file = await readFile(path.join(place.data, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(file, 10);
  if (!pid) return false;
  if (process.platform !== "linux") {
    const { stdout } = await exec("ps", ["-o", "comm=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
    return stdout.includes("postgres");
  }
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => "");
  return directory === (await realpath(place.data));
}

async function start(place: Place): Promise<void> {
  const log = path.join(place.directory, "postgres.log");
  const deadline = Date.now() + ORPHANS_PATIENCE_MS;
  for (;;) {
    try {
      // `pg_ctl` detaches the server, so Ctrl-C in our terminal reaches us and not Postgres: we stop it last.
      return await run(place, "pg_ctl", ["start", "-D", place.data, "-l", log, "-w", "-t", "60", "-s"]);
    } catch (cause) {
      const tail = (await readFile(log, "utf8").catch(() => "")).trim().split("\n").slice(-8).join("\n");
      // The children of a server that was killed end by themselves, but not in the same instant.
      const orphans = /shared memory block .* still in use/.test(tail);
      if (!orphans || Date.now() > deadline) {
        throw new Error(`The embedded Postgres did not start. The end of ${log}:\n${tail}`, { cause });
      }
      await sleep(200);
    }
  }
}

async function stop(place: Place, socket: string): Promise<void> {
  if (await isRunning(place)) {
    await run(place, "pg_ctl", ["stop", "-D", place.data, "-m", "fast", "-w", "-s"]);
  }
  await rm(socket, { recursive: true, force: true });
}

async function run(place: Place, program: "initdb" | "pg_ctl", args: string[]): Promise<void> {
  await exec(path.join(place.binaries, program), args, { ...place.as, cwd: place.directory });
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
