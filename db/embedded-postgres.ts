// A Postgres of our own: binaries from npm, data in the data directory, reached over a unix socket only,
// so there is no port to collide with and nothing to reach from the network.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, appendFile, chmod, chown, lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Place, postgresDirectories, postgresPlace } from "./postgres-place.ts";
import { runPostgresProgram } from "./postgres-program.ts";
import { type RunningPostgres, runningPostgres } from "./running-postgres.ts";
import { startPostgres } from "./start-postgres.ts";

export interface EmbeddedPostgres {
  url: string;
  /** False when a server was already running there: somebody else's to stop, or left behind by a killed parent. */
  started: boolean;
  /** Set when the data could not live in the data directory. */
  movedTo?: string;
  /** Resolves with its number when its process is gone, for whatever reason. It is nobody's child, so somebody has to look. */
  ended(signal: AbortSignal): Promise<number | undefined>;
  stop(): Promise<void>;
}

const exec = promisify(execFile);
const STOP_PATIENCE_MS = 60_000;
const LOOK_MS = 250;

interface StartOptions {
  /** False when there must be data: whoever misses it must not be given an empty database instead. */
  mayCreate?: boolean;
}

export async function startEmbeddedPostgres(
  dataDir: string,
  { mayCreate = true }: StartOptions = {},
): Promise<EmbeddedPostgres> {
  const running = await findRunning(dataDir);
  if (running) return { ...running, started: false };
  const place = await postgresPlace(dataDir);
  const socket = await socketDirectory(place);
  if (!(await exists(path.join(place.data, "PG_VERSION")))) {
    if (!mayCreate) throw new Error(`The data of the embedded Postgres is not in ${place.data} any more.`);
    await createCluster(place);
  }
  await writeSettings(place, socket);
  await removeStaleLocks(place, socket);
  await startPostgres(place);
  const pid = (await runningPostgres(place.data))?.pid;
  return {
    url: urlOf(socket),
    started: true,
    movedTo: place.moved ? place.directory : undefined,
    ended: (signal) => untilGone(place.data, pid, signal),
    stop: () => stop(place.data, socket),
  };
}

/** Where the embedded Postgres of this data directory answers, if it runs. Starts and changes nothing. */
export async function embeddedPostgresUrl(dataDir: string): Promise<string | undefined> {
  return (await findRunning(dataDir))?.url;
}

/** The server may be another user's: what belongs to it is read, never prepared for ourselves. */
async function findRunning(dataDir: string) {
  const [beside, ...elsewhere] = await postgresDirectories(dataDir);
  for (const directory of [beside, ...elsewhere]) {
    const cluster = path.join(directory, "data");
    const running = await whenListening(cluster);
    const movedTo = directory === beside ? undefined : directory;
    if (!running) continue;
    const { pid, socket } = running;
    return {
      url: urlOf(socket),
      movedTo,
      ended: (signal: AbortSignal) => untilGone(cluster, pid, signal),
      stop: () => stop(cluster, socket),
    };
  }
  return undefined;
}

/** Somebody else may have started it this very moment. */
async function whenListening(cluster: string): Promise<Required<RunningPostgres> | undefined> {
  for (;;) {
    const running = await runningPostgres(cluster);
    if (!running) return undefined;
    const { pid, socket } = running;
    if (socket) return { pid, socket };
    await sleep(20);
  }
}

function urlOf(socket: string): string {
  return `postgresql://cove@localhost/cove?host=${encodeURIComponent(socket)}`;
}

/** Makes the cluster beside its final place and renames it, so that a killed `initdb` leaves nothing half-done. */
async function createCluster(place: Place): Promise<void> {
  const fresh = `${place.data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await runPostgresProgram(place, "initdb", [
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
  await mkdir(directory).catch((error) => requireOwnDirectory(directory, place, error));
  if (place.as) await chown(directory, place.as.uid, place.as.gid);
  await chmod(directory, 0o700);
  return directory;
}

/** Anybody could have made something of that name in a shared place first: a link, say, to what we would give away. */
async function requireOwnDirectory(directory: string, { as }: Place, cause: unknown): Promise<void> {
  const found = await lstat(directory).catch(() => undefined);
  const ours = [process.getuid?.(), as?.uid];
  if (found?.isDirectory() && ours.includes(found.uid)) return;
  throw new Error(`${directory} can't hold the socket of Postgres: it is not ours. Remove it.`, { cause });
}

/** Postgres refuses to start over lock files whose process number lives on, be it as a stranger or as a zombie. */
async function removeStaleLocks(place: Place, socket: string): Promise<void> {
  if (await runningPostgres(place.data)) return;
  await rm(path.join(place.data, "postmaster.pid"), { force: true });
  await rm(path.join(socket, ".s.PGSQL.5432.lock"), { force: true });
}

/** It may be gone at the first look; whose it was is known from its start. */
async function untilGone(
  cluster: string,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (let last = pid; ; ) {
    const running = await runningPostgres(cluster);
    if (!running) return last;
    last = running.pid;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

async function stop(cluster: string, socket: string): Promise<void> {
  const deadline = Date.now() + STOP_PATIENCE_MS;
  const running = await runningPostgres(cluster);
  // What `pg_ctl stop -m fast` does: sessions end, and everything is written.
  if (running) process.kill(running.pid, "SIGINT");
  while (running && (await runningPostgres(cluster))) {
    if (Date.now() > deadline)
      throw new Error(`The embedded Postgres (process ${running.pid}) does not stop.`);
    await sleep(20);
  }
  await rm(socket, { recursive: true, force: true });
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
