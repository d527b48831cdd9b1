// `npm run -s cove -- user remove`: everything of somebody's goes, whether a server runs or not, and nothing of anybody else's.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findSandbox } from "#db/queries/sandboxes.ts";
import { type Cove, cleanEnv, removeInstallation, root, startCove } from "../support/cove.ts";
import { databaseOf } from "../support/people.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { engineKeeps, filesNaming, tablesWith } from "../support/traces-of.ts";

let dataDir: string;
let cove: Cove;

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  cove = await startCove({ COVE_DATA_DIR: dataDir });
  // The first account is the administrator's and stays.
  await newResident(cove);
});

afterAll(async () => {
  await cove.stop();
  await removeInstallation(dataDir);
});

test("the running server ends what runs, and removes rows, contents, sandbox and workspace", async () => {
  const [ada, bob] = [await newResident(cove), await newResident(cove)];
  const [hers, his] = [await belongingsOf(ada), await belongingsOf(bob)];
  const running = ada.execute("execute_bash", { command: "sleep 300", timeout: 300 });
  await expect.poll(() => commandsOf(ada)).toContain("sleep");

  const { wouldRemove } = await cli("user", "remove", ada.email);
  expect(wouldRemove).toMatchObject({ email: ada.email, artifacts: 1, tokens: 1, sandbox: true });
  expect(wouldRemove.runs).toBeGreaterThan(0);
  expect((await ada.execute("list_skills")).status).toBe(200);

  expect(await cli("user", "remove", ada.email, "--yes")).toMatchObject({ removed: { email: ada.email } });
  // Whoever waited is told something, and nobody gets in any more.
  expect((await running).body.status ?? (await running).body.error).toBeDefined();
  expect((await ada.execute("list_skills")).status).toBe(401);
  expect((await fetch(...ada.get("/api/conversations"))).status).toBe(401);
  await expectNothingLeft(ada, hers);
  expect(await filesNaming(dataDir, his.blob)).toHaveLength(1);
  expect(await bob.execute("read_file", { file_path: "outputs/kept.txt" })).toMatchObject({ status: 200 });
});

test("without a server it is done all the same", async () => {
  const eve = await newResident(cove);
  const hers = await belongingsOf(eve);
  await cove.stop();
  expect(await cli("user", "remove", eve.email, "--yes")).toMatchObject({ removed: { sandbox: true } });
  cove = await startCove({ COVE_DATA_DIR: dataDir, PORT: cove.env.PORT });
  expect((await eve.execute("list_skills")).status).toBe(401);
  await expectNothingLeft(eve, hers);
});

interface Belongings {
  sandbox: string;
  blob: string;
}

async function belongingsOf(person: Resident): Promise<Belongings> {
  const command = `mkdir -p outputs && echo ${person.id} > outputs/kept.txt`;
  expect((await person.execute("execute_bash", { command })).body.artifacts).toHaveLength(1);
  await person.post("/api/conversations", {});
  const { db } = await databaseOf(dataDir);
  const sandbox = (await findSandbox(db, person.id))?.id ?? "";
  const blob = createHash("sha256").update(`${person.id}\n`).digest("hex");
  expect(await filesNaming(dataDir, blob)).toHaveLength(1);
  expect(await engineKeeps(sandbox)).toBe(true);
  expect(await tablesWith(db, person.id)).toEqual(
    expect.arrayContaining([
      "api_tokens",
      "artifacts",
      "conversations",
      "executions",
      "sandboxes",
      "sessions",
    ]),
  );
  return { sandbox, blob };
}

async function expectNothingLeft({ id }: Resident, { sandbox, blob }: Belongings): Promise<void> {
  const { db } = await databaseOf(dataDir);
  expect(await tablesWith(db, id)).toEqual([]);
  expect(await engineKeeps(sandbox)).toBe(false);
  expect(await filesNaming(dataDir, sandbox)).toEqual([]);
  expect(await filesNaming(dataDir, blob)).toEqual([]);
}

async function commandsOf(person: Resident): Promise<string> {
  return (await person.execute("execute_bash", { command: "cat /proc/[0-9]*/comm" })).body.stdout;
}

async function cli(...args: string[]) {
  const env = cleanEnv({ COVE_DATA_DIR: dataDir });
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/cove.ts", ...args], {
    cwd: root,
    env,
  });
  return JSON.parse(stdout);
}
