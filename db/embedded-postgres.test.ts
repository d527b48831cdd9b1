import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { connect, pingDatabase } from "./client.ts";
import { type EmbeddedPostgres, embeddedPostgresUrl, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { migrate } from "./migrate.ts";

let dataDir: string;
let postgres: EmbeddedPostgres | undefined;

beforeEach(async () => {
  dataDir = await temporaryDirectory();
});

afterEach(async () => {
  await postgres?.stop();
  if (postgres?.movedTo) await rm(path.dirname(postgres.movedTo), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

test("it starts from nothing, keeps what was written, and listens on no port", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  expect(postgres.started).toBe(true);
  await query("create table kept as select 1 as x");
  expect(await query("show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  await postgres.stop();
  postgres = await startEmbeddedPostgres(dataDir);
  expect(await query("select x from kept")).toEqual([{ x: 1 }]);
});

test("one that is running already, left by a killed parent say, is found and used", async () => {
  const first = await startEmbeddedPostgres(dataDir);
  postgres = await startEmbeddedPostgres(dataDir);
  expect(postgres).toMatchObject({ started: false, url: first.url });
  expect(await embeddedPostgresUrl(dataDir)).toBe(first.url);
  await query("select 1");
});

test("it starts again after it was killed", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  await query("create table kept as select 1 as x");
  process.kill(await serverPid(), "SIGKILL");
  await expect.poll(() => embeddedPostgresUrl(dataDir)).toBeUndefined();
  postgres = await startEmbeddedPostgres(dataDir);
  expect(postgres.started).toBe(true);
  expect(await query("select x from kept")).toEqual([{ x: 1 }]);
});

test("one that was killed is noticed, and started again at the same address though a child of it works on", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  const { url } = postgres;
  const pid = await serverPid();
  const ended = postgres.ended(new AbortController().signal);
  // A child that computes doesn't look whether its server is still there.
  const busy = connect(url, { onError: () => undefined });
  const query = busy.db.execute("select count(*) from generate_series(1, 1e12::bigint)").catch(() => "gone");
  await expect.poll(async () => (await active(url)).length).toBe(1);
  process.kill(pid, "SIGKILL");
  expect(await ended).toBe(pid);
  postgres = await startEmbeddedPostgres(dataDir, { mayCreate: false });
  expect(postgres).toMatchObject({ started: true, url });
  expect(await query).toBe("gone");
  await busy.close();
});

test("whoever looks for its end can leave off", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  const looking = new AbortController();
  const ended = postgres.ended(looking.signal);
  looking.abort();
  await expect(ended).rejects.toThrow("aborted");
});

test("data that is missing when it is started again is missed, not made anew", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  await postgres.stop();
  const cluster = path.dirname(pidFile());
  await rename(cluster, `${cluster}.away`);
  await expect(startEmbeddedPostgres(dataDir, { mayCreate: false })).rejects.toThrow(
    `The data of the embedded Postgres is not in ${cluster} any more.`,
  );
});

test("a start that fails says why in one line", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  await postgres.stop();
  const cluster = path.dirname(pidFile());
  await rm(path.join(cluster, "global", "pg_control"));
  await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(
    /^The embedded Postgres did not start: [^\n]*pg_control[^\n]*$/,
  );
});

test("a pid file whose number now belongs to somebody else doesn't stop it", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  const file = pidFile();
  const content = await readFile(file, "utf8");
  await postgres.stop();
  const stranger = spawn("sleep", ["60"]);
  await writeFile(file, content.replace(/^\d+/, String(stranger.pid)));
  postgres = await startEmbeddedPostgres(dataDir);
  expect(postgres.started).toBe(true);
  await query("select 1");
  expect(stranger.exitCode).toBeNull();
  stranger.kill();
});

test("an occupied port is no matter", async () => {
  const occupant = createServer();
  await new Promise<void>((resolve) => occupant.once("error", () => resolve()).listen(5432, resolve));
  postgres = await startEmbeddedPostgres(dataDir);
  await query("select 1");
  occupant.close();
});

test("a half-made cluster of an interrupted start is made anew", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  await postgres.stop();
  const cluster = path.dirname(pidFile());
  await rename(cluster, `${cluster}.new`);
  postgres = await startEmbeddedPostgres(dataDir);
  await query("select 1");
});

test("a very deep data directory gets a socket that fits", async () => {
  const deep = path.join(dataDir, "d".repeat(60), "e".repeat(60));
  postgres = await startEmbeddedPostgres(deep);
  await query("select 1");
});

test("a link that somebody put where the socket would go is not followed", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  // For a clone under a 0700 home the socket goes where nobody else can put anything.
  if (postgres.movedTo) return;
  const deep = path.join(dataDir, "d".repeat(60), "e".repeat(60));
  const prize = path.join(dataDir, "prize");
  await mkdir(prize, { mode: 0o755 });
  const hash = createHash("sha256")
    .update(path.join(deep, "postgres", "socket"))
    .digest("hex");
  const planted = path.join(tmpdir(), `cove-${hash.slice(0, 12)}`);
  await symlink(prize, planted);
  await expect(startEmbeddedPostgres(deep)).rejects.toThrow(`${planted} can't hold the socket of Postgres`);
  expect(await stat(prize)).toMatchObject({ uid: process.getuid?.(), mode: 0o040755 });
  await rm(planted);
});

test("asking where it runs makes nothing and changes nothing", async () => {
  const directory = path.join(dataDir, "postgres");
  await mkdir(directory, { mode: 0o755 });
  await chown(directory, 65534, 65534);
  expect(await embeddedPostgresUrl(dataDir)).toBeUndefined();
  expect(await embeddedPostgresUrl(path.join(dataDir, "nowhere"))).toBeUndefined();
  expect(await stat(directory)).toMatchObject({ uid: 65534, gid: 65534, mode: 0o040755 });
  expect(await readdir(dataDir)).toEqual(["postgres"]);
});

test.runIf(process.getuid?.() === 0)(
  "under a 0700 directory of root's, data and binaries go where Postgres can reach them",
  async () => {
    await chmod(dataDir, 0o700);
    postgres = await startEmbeddedPostgres(dataDir);
    expect(postgres.movedTo).toMatch(/^\/var\/lib\/cove\/[0-9a-f-]{36}\/postgres$/);
    await query("create table kept as select 1 as x");
    expect(await embeddedPostgresUrl(dataDir)).toBe(postgres.url);
    await postgres.stop();

    // Data that went there is not forgotten when the way is open again.
    await chmod(dataDir, 0o755);
    postgres = await startEmbeddedPostgres(dataDir);
    expect(await query("select x from kept")).toEqual([{ x: 1 }]);

    // A copy has the same name, and neither finds nor gets the original's tables, running or not.
    const copy = `${dataDir}-copy`;
    await cp(dataDir, copy, { recursive: true });
    try {
      expect(await embeddedPostgresUrl(copy)).toBeUndefined();
      await expect(startEmbeddedPostgres(copy)).rejects.toThrow(
        new RegExp(`is a copy of ${dataDir}, which is still there, and came without its Postgres`),
      );
    } finally {
      await rm(copy, { recursive: true });
    }
    expect(await query("select x from kept")).toEqual([{ x: 1 }]);
  },
);

test.runIf(process.getuid?.() === 0)(
  "data that Postgres can't reach any more is missed, not made anew elsewhere",
  async () => {
    const home = path.join(dataDir, "home");
    postgres = await startEmbeddedPostgres(home);
    // A clone under a 0700 home has it elsewhere from the first start.
    if (postgres.movedTo) return;
    await postgres.stop();
    await chmod(dataDir, 0o700);
    await expect(startEmbeddedPostgres(home)).rejects.toThrow("Postgres can't reach its data");
    await chmod(dataDir, 0o755);
  },
);

test.runIf(process.getuid?.() === 0)("root runs the Postgres of somebody else's Cove as them", async () => {
  const directory = path.join(dataDir, "postgres");
  await mkdir(directory);
  await chown(directory, 65534, 65534);
  postgres = await startEmbeddedPostgres(dataDir);
  const host = new URL(postgres.url).searchParams.get("host") ?? "";
  expect((await stat(host)).uid).toBe(65534);
  await query("select 1");
});

test("two processes that migrate at once take turns", async () => {
  postgres = await startEmbeddedPostgres(dataDir);
  const clients = [connect(postgres.url), connect(postgres.url), connect(postgres.url)];
  await Promise.all(clients.map(({ db }) => migrate(db)));
  for (const client of clients) {
    await pingDatabase(client.db);
    await client.close();
  }
  const [row] = await query(
    "select count(*)::int as n from drizzle.__drizzle_migrations group by hash having count(*) > 1",
  );
  expect(row).toBeUndefined();
});

async function query(text: string): Promise<unknown[]> {
  const client = connect(postgres?.url ?? "");
  try {
    return (await client.db.execute(text)).rows;
  } finally {
    await client.close();
  }
}

/** What its other connections are doing. */
async function active(url: string): Promise<unknown[]> {
  const client = connect(url);
  const { rows } = await client.db.execute(
    "select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()",
  );
  await client.close();
  return rows;
}

function pidFile(): string {
  const host = new URL(postgres?.url ?? "").searchParams.get("host") ?? "";
  return path.join(path.dirname(host), "data", "postmaster.pid");
}

async function serverPid(): Promise<number> {
  return Number.parseInt(await readFile(pidFile(), "utf8"), 10);
}
