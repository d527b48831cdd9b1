// SECURITY.md 37: one user who prints, writes and answers without end, at the server's own doors.
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { databaseOf } from "../support/people.ts";
import { newResident, type Resident } from "../support/resident.ts";

const MB = 2 ** 20;
const BUDGET = 4 * MB;
const own = ownCove({ COVE_HISTORY_SIZE: "4m" });
let mallory: Resident;
let bob: Resident;

beforeAll(async () => {
  [mallory, bob] = await Promise.all([newResident(own.cove), newResident(own.cove)]);
});

/** What no compression makes smaller. */
const noise = (bytes: number) => `head -c ${Math.floor((bytes * 3) / 4)} /dev/urandom | base64 -w 0`;

describe("37. History without end", () => {
  test("a flood stays within its user's budget, rows and files together; nobody else's history is touched", async () => {
    const { body: kept } = await bob.execute("execute_bash", { command: `echo kept; ${noise(200_000)}` });
    const filesBefore = await blobBytes();
    const { body: first } = await mallory.execute("execute_bash", {
      command: `echo first; ${noise(400_000)}`,
    });

    // By output on both streams, by answers that are kept for a key, by values, by what is handed in: several at a time.
    const flood = [
      () => mallory.execute("execute_bash", { command: `${noise(500_000)}; ${noise(500_000)} >&2` }),
      (n: number) =>
        mallory.execute("execute_bash", { command: noise(300_000) }, { "idempotency-key": `key-${n}` }),
      () => mallory.execute("execute_python", { code: "import secrets\nsecrets.token_hex(150_000)" }),
      (n: number) =>
        mallory.execute("write_file", { file_path: "large", content: String(n % 10).repeat(2 * MB) }),
    ];
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all(flood.map((call) => call(round)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const rows = await rowBytes(mallory.id);
      const files = (await blobBytes()) - filesBefore;
      expect(rows + files).toBeLessThanOrEqual(BUDGET);
    }
    const { body: last } = await mallory.execute("execute_bash", { command: `echo last; ${noise(400_000)}` });

    const look = (who: Resident, id: string) =>
      who.execute("check_execution", { execution_id: id }).then(({ body }) => body);
    expect((await look(mallory, last.execution_id)).stdout).toBe(last.stdout);
    const removed = expect.stringMatching(/^Output removed/);
    expect(await look(mallory, first.execution_id)).toMatchObject({
      ...{ status: "completed", stdout: "", output_missing: removed },
    });
    expect(await look(bob, kept.execution_id)).toEqual(expect.objectContaining({ stdout: kept.stdout }));
    expect(await countRuns(mallory.id)).toBe(34);

    // The same wherever an output is read.
    const page = async (of: string) => (await fetch(...mallory.get(of))).text();
    expect(await page(`/history/${first.execution_id}`)).toContain("Output removed");
    expect(await page("/history")).toContain("output removed");
    expect(await page(`/api/history/${first.execution_id}`)).toContain("Output removed");
    expect(await page(`/api/history/export?format=ipynb&ids=${first.execution_id}`)).toContain(
      "Output removed",
    );
  });
});

/** What Postgres stores of it. */
async function rowBytes(userId: string): Promise<number> {
  const { db } = await databaseOf(own.cove.dataDir);
  const { rows } = await db.execute<{ bytes: number }>(sql`
    select coalesce(sum(pg_column_size(arguments) + coalesce(pg_column_size(stdout), 0) + coalesce(pg_column_size(stderr), 0)
      + coalesce(pg_column_size(results), 0) + coalesce(pg_column_size(result), 0) + pg_column_size(words)
      + coalesce(pg_column_size(denied_hosts), 0)), 0)::int as bytes
    from executions where user_id = ${userId}`);
  return rows[0]?.bytes ?? 0;
}

async function countRuns(userId: string): Promise<number> {
  const { db } = await databaseOf(own.cove.dataDir);
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from executions where user_id = ${userId}`,
  );
  return rows[0]?.n ?? 0;
}

/** What the outputs of everybody's runs take on the disk. Contents of artifacts have a size of their own. */
async function blobBytes(): Promise<number> {
  const { db } = await databaseOf(own.cove.dataDir);
  const { rows } = await db.execute<{ hash: string }>(
    sql`select encode(sha256, 'hex') as hash from artifacts`,
  );
  const artifacts = new Set(rows.map(({ hash }) => hash));
  const folder = path.join(own.cove.dataDir, "blobs");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    // Nobody has kept a file yet.
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const files = entries.filter((entry) => entry.isFile() && !artifacts.has(entry.name));
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).blocks * 512),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
