// `cove backup` and `cove restore`: everything is elsewhere as it was, and the original never notices.
import { randomUUID } from "node:crypto";
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { knownInstallationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { type Caller, callerWith, newCaller } from "../support/caller.ts";
import { blockUnder } from "../support/code-blocks.ts";
import { type Cove, removeInstallation, root, spawnCove, startCove } from "../support/cove.ts";
import { madeArtifacts } from "../support/made-artifacts.ts";
import { startModelServer } from "../support/model-server.ts";
import { DESCRIBE_ODD_FILES, MAKE_ODD_FILES } from "../support/odd-files.ts";
import { administer, databaseUrl } from "../support/postgres.ts";
import { runCommand, runInShell } from "../support/run-command.ts";
import { sessionCookie } from "../support/session-cookie.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { personAt } from "../support/web-person.ts";
import { skillMd } from "../support/zips.ts";

const model = await startModelServer();
model.script("gpt-scripted", { text: "hi" });
const MODELS = { COVE_OPENAI_URL: model.openai, COVE_MODEL_ALLOW: new URL(model.openai).host };
const folders: string[] = [];
let place: string;
let backup: string;
let original: Cove;
let ada: Caller;
let cookie: string;
let run: string;
let seen: Awaited<ReturnType<typeof look>>;

beforeAll(async () => {
  place = await temporaryDirectory();
  backup = path.join(place, "backup");
  const dataDir = await newDataDirectory();
  original = await startCove({ COVE_DATA_DIR: dataDir, ...MODELS });
  ada = await newCaller(original);
  cookie = await sessionCookie(original.url, ada.email);
  await bash(MAKE_ODD_FILES);
  await bash(`mkdir -p .agents/skills/mine && cat > .agents/skills/mine/SKILL.md <<'E'\n${skillMd("mine")}E`);
  await madeArtifacts(ada, "printf 'of an artifact' > made.txt");
  const web = personAt(original.url, { id: "", email: ada.email, cookie });
  expect((await web.call("PUT", "/api/model-keys/openai", { key: model.key })).status).toBe(200);
  expect((await web.call("POST", "/api/conversations", {})).status).toBe(200);
  run = (await ada.execute("execute_bash", { command: "echo on record" })).body.execution_id;
  seen = await look(original.url);
  expect(seen.files).toContain("thin");
}, 600_000);

afterAll(async () => {
  await original?.stop();
  for (const folder of folders) await removeInstallation(folder);
  await rm(place, { recursive: true });
  await model.close();
}, 120_000);

test("a backup is made while the server runs and calls go on", { timeout: 600_000 }, async () => {
  let finished = false;
  const calls = (async () => {
    for (let n = 0; !finished; n++) {
      const { body } = await ada.execute("execute_bash", { command: `echo ${n} > /tmp/n; cat /tmp/n` });
      expect(body).toMatchObject({ status: "completed", stdout: `${n}\n` });
    }
  })();
  const { code, stdout, stderr } = await asDocumented("Back up", original.dataDir, backup);
  finished = true;
  await calls;
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("holds the secret") });
  expect(JSON.parse(stdout)).toMatchObject({
    folder: backup,
    rows: { users: 1, api_tokens: 1, model_keys: 1, skills: 1, conversations: 1 },
    workspaces: 1,
    secret: true,
    lost: { blobs: [], workspaces: [] },
  });
  expect((await readdir(place)).sort()).toEqual(["backup"]);
  expect(((await stat(backup)).mode & 0o777).toString(8)).toBe("700");
  expect(((await stat(path.join(backup, "secret"))).mode & 0o777).toString(8)).toBe("600");
  expect(await readdir(path.join(original.dataDir, "packed"))).toEqual([]);
  // Neither keys nor tokens are readable in it.
  const rows = await readFile(path.join(backup, "tables", "model_keys.ndjson"), "utf8");
  expect(rows).not.toContain(model.key);
  const again = await cove(original.dataDir, "backup", backup);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("There is something at") });
});

test.each(["the embedded Postgres", "Debian's PostgreSQL"])(
  "restored onto %s everything is there, beside the original on the same engine",
  { timeout: 600_000 },
  async (which) => {
    const database = which.startsWith("Debian") ? await newDatabase() : undefined;
    const dataDir = await newDataDirectory();
    const settings = { DATABASE_URL: database?.url };
    const { code, stdout, stderr } = await asDocumented("Restore", dataDir, backup, settings);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { installation } = JSON.parse(stdout);
    expect(installation).toBe(await knownInstallationName(dataDir));
    expect(installation).not.toBe(await knownInstallationName(original.dataDir));
    expect(await embeddedPostgresUrl(dataDir)).toBeUndefined();

    const restored = await startCove({ COVE_DATA_DIR: dataDir, ...MODELS, ...settings });
    try {
      expect(await look(restored.url)).toEqual(seen);
      const web = personAt(restored.url, { id: "", email: ada.email, cookie });
      expect((await web.call("POST", "/api/model-keys/openai/test")).body).toMatchObject({ ok: true });
      // What is written there is not written here.
      const there = callerWith(restored.url, ada.email, ada.token);
      expect((await there.execute("execute_bash", { command: "echo there > only-there" })).status).toBe(200);
      expect((await ada.execute("execute_bash", { command: "ls only-there" })).body.exit_code).toBe(2);
      const refused = await cove(dataDir, "restore", backup, settings);
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("into an empty installation only"),
      });
    } finally {
      await restored.stop();
      await removeVolumes(dataDir);
      await database?.drop();
    }
    expect(await look(original.url)).toEqual(seen);
  },
);

test("without a server, too; a secret of the operator's stays out of it and is asked for", {
  timeout: 600_000,
}, async () => {
  const dataDir = await newDataDirectory();
  const secret = "an operator's own secret, kept elsewhere";
  const settings = { AUTH_SECRET: secret };
  expect((await cove(dataDir, "restore", backup, { AUTH_SECRET: "y".repeat(32) })).stderr).toContain(
    "AUTH_SECRET is not the one that the installation of this backup had",
  );
  const first = await startCove({ COVE_DATA_DIR: dataDir, ...settings });
  const bob = await newCaller(first);
  expect((await bob.execute("execute_bash", { command: "echo bob > note" })).body.status).toBe("completed");
  await first.stop();

  const folder = path.join(place, "stopped");
  const made = await cove(dataDir, "backup", folder, settings);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("does not hold AUTH_SECRET") });
  expect(await readdir(folder)).not.toContain("secret");
  expect(await embeddedPostgresUrl(dataDir)).toBeUndefined();

  const other = await newDataDirectory();
  const unknown = await cove(other, "restore", folder);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("Set AUTH_SECRET") });
  expect(await readdir(other)).toEqual([]);
  expect(await cove(other, "restore", folder, settings)).toMatchObject({ code: 0 });
  expect(await readdir(other)).not.toContain("secret");
  const second = await startCove({ COVE_DATA_DIR: other, ...settings });
  const again = callerWith(second.url, bob.email, bob.token);
  expect((await again.execute("execute_bash", { command: "cat note" })).body.stdout).toBe("bob\n");
  await second.stop();
  await removeVolumes(dataDir);
  await removeVolumes(other);
});

type Manifest = { tables: { name: string }[]; blobs: string[]; workspaces: { userId: string }[] };
type Spoil = (folder: string, manifest: Manifest & Record<string, unknown>) => Promise<unknown>;

const changed =
  (change: (manifest: Manifest & Record<string, unknown>) => void): Spoil =>
  async (folder, manifest) => {
    change(manifest);
    await writeFile(path.join(folder, "manifest.json"), JSON.stringify(manifest));
  };
const blobIn = (folder: string, { blobs: [hash = ""] }: Manifest) =>
  path.join(folder, "blobs", hash.slice(0, 2), hash);
const archiveIn = (folder: string, { workspaces: [one] }: Manifest) =>
  path.join(folder, "workspaces", `${one?.userId}.tar`);

test.each<[string, string, Spoil]>([
  ["no manifest", "There is no finished backup", (folder) => rm(path.join(folder, "manifest.json"))],
  [
    "half a manifest",
    "manifest.json is damaged",
    (folder) => truncate(path.join(folder, "manifest.json"), 100),
  ],
  ["a missing table", "users.ndjson is missing", (folder) => rm(path.join(folder, "tables/users.ndjson"))],
  [
    "a shorter table",
    "users.ndjson of the backup is damaged",
    (folder) => truncate(path.join(folder, "tables/users.ndjson"), 10),
  ],
  [
    "other contents",
    "of the backup is damaged",
    (folder, manifest) => writeFile(blobIn(folder, manifest), "x"),
  ],
  [
    "a cut archive",
    ".tar of the backup is damaged",
    (folder, manifest) => truncate(archiveIn(folder, manifest), 1000),
  ],
  [
    "a link in place of a file",
    "is missing from the backup",
    async (folder, manifest) => {
      await rename(archiveIn(folder, manifest), path.join(folder, "elsewhere"));
      await symlink(path.join(folder, "elsewhere"), archiveIn(folder, manifest));
    },
  ],
  [
    "a newer version",
    "was made by a newer version of Cove (9.9.9)",
    changed((m) => Object.assign(m, { format: 2, cove: "9.9.9" })),
  ],
  [
    "newer tables",
    "was made by a newer version of Cove",
    changed((m) => Object.assign(m, { migration: "9999_later" })),
  ],
  [
    "a table that leads elsewhere",
    "manifest.json is damaged",
    changed((m) => Object.assign(m.tables[0] ?? {}, { name: "../../etc/passwd" })),
  ],
  [
    "a person who leads elsewhere",
    "manifest.json is damaged",
    changed((m) => Object.assign(m.workspaces[0] ?? {}, { userId: "../../x" })),
  ],
])("%s: refused with a sentence, and nothing is changed", async (_, sentence, spoil) => {
  const broken = path.join(place, randomUUID());
  await cp(backup, broken, { recursive: true });
  await spoil(broken, JSON.parse(await readFile(path.join(broken, "manifest.json"), "utf8")));
  const dataDir = await newDataDirectory();
  const { code, stdout, stderr } = await cove(dataDir, "restore", broken);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(sentence),
  });
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  expect(await readdir(dataDir)).toEqual([]);
  await rm(broken, { recursive: true });
});

test("into an installation that runs, or one that a restore left half-done, nothing is restored or served", async () => {
  const running = await cove(original.dataDir, "restore", backup);
  expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining("A Cove server runs here.") });
  expect(await look(original.url)).toEqual(seen);

  const dataDir = await newDataDirectory();
  await mkdir(dataDir, { recursive: true });
  await writeFile(path.join(dataDir, "restore-unfinished"), "");
  const sentence = `A restore into ${dataDir} did not finish.`;
  expect(await cove(dataDir, "restore", backup)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(sentence),
  });
  const served = await spawnCove({ COVE_DATA_DIR: dataDir });
  expect(await new Promise((resolve) => served.process.once("exit", resolve))).toBe(1);
  expect(served.output()).toContain(sentence);
});

/** What somebody sees at a Cove's doors, as far as it doesn't depend on the moment. */
async function look(url: string) {
  const me = callerWith(url, ada.email, ada.token);
  const page = async (address: string) => (await fetch(`${url}${address}`, { headers: { cookie } })).json();
  const files = await me.execute("execute_bash", { command: DESCRIBE_ODD_FILES });
  const { items } = await page("/api/artifacts");
  const contents = items.map(async ({ id, name }: { id: string; name: string }) => {
    const answer = await fetch(`${url}/artifacts/${id}/${encodeURIComponent(name)}`, { headers: { cookie } });
    return [name, answer.status, await answer.text()];
  });
  const skills = await me.execute("list_skills", {});
  const recorded = await me.execute("check_execution", { execution_id: run });
  return {
    files: files.body.stdout,
    artifacts: await Promise.all(contents),
    skills: JSON.stringify(skills.body).includes("mine"),
    recorded: recorded.body.stdout,
    conversations: await page("/api/conversations"),
  };
}

async function bash(command: string): Promise<void> {
  const { body } = await ada.execute("execute_bash", { command, timeout: 60 });
  expect(body).toMatchObject({ status: "completed", exit_code: 0 });
}

function cove(dataDir: string, verb: "backup" | "restore", folder: string, settings = {}) {
  return runCommand({ COVE_DATA_DIR: dataDir, ...settings }, verb, folder);
}

/** The commands of docs/backup.md as they stand there. */
async function asDocumented(heading: "Back up" | "Restore", dataDir: string, folder: string, settings = {}) {
  const guide = await readFile(path.join(root, "docs/backup.md"), "utf8");
  return runInShell({ COVE_DATA_DIR: dataDir, BACKUP: folder, ...settings }, blockUnder(guide, heading));
}

async function newDataDirectory(): Promise<string> {
  const folder = await temporaryDirectory();
  folders.push(folder);
  return folder;
}

async function newDatabase() {
  const server = process.env.COVE_TEST_DATABASE_URL ?? "";
  const name = `cove_test_${randomUUID().replaceAll("-", "")}`;
  await administer(server, `create database ${name}`);
  return {
    url: databaseUrl(server, name),
    drop: () => administer(server, `drop database ${name} with (force)`),
  };
}

/** Of a soft quota; a disk image goes with the data directory. */
async function removeVolumes(dataDir: string): Promise<void> {
  const engine = connectEngine(process.env.DOCKER_HOST);
  const filters = JSON.stringify({
    label: [`cove=${await knownInstallationName(dataDir)}`, "cove.role=workspace"],
  });
  for (const { Name } of (await engine.listVolumes({ filters })).Volumes)
    await engine.getVolume(Name).remove();
}
