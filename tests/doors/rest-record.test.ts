// What REST calls leave on record, and keys that make two calls one.
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { containerName } from "#sandbox/docker/container-spec.ts";
import { type Caller, ownCove } from "../support/caller.ts";
import { readSample } from "../support/metrics.ts";
import { databaseOf } from "../support/people.ts";

const own = ownCove();
let ada: Caller;

beforeAll(async () => {
  ada = await own.caller();
});

test("the record holds every run exactly, NUL and broken UTF-8 included, before the caller hears of it", async () => {
  const { body } = await ada.execute("execute_bash", {
    command: "printf 'a\\0b\\377'; printf '\\355\\240\\200' >&2",
  });
  const { db } = await databaseOf(own.cove.dataDir);
  const { rows } = await db.execute<Record<string, unknown>>(
    sql`select door, tool, status, exit_code, stdout, stderr, finished_at from executions where id = ${body.execution_id}`,
  );
  expect(rows).toEqual([
    {
      door: "rest",
      tool: "execute_bash",
      status: "completed",
      exit_code: 0,
      stdout: Buffer.from([0x61, 0, 0x62, 0xff]),
      stderr: Buffer.from([0xed, 0xa0, 0x80]),
      finished_at: expect.anything(),
    },
  ]);
});

test("the same key twice is one run, also at the same time", async () => {
  const key = { "idempotency-key": "k1" };
  const call = () =>
    ada.execute("execute_bash", { command: "echo x >> once.txt; wc -l < once.txt; sleep 0.5" }, key);
  const [first, second] = await Promise.all([call(), call()]);
  const third = await call();
  expect(first.body.stdout).toBe("1\n");
  expect([second.body.execution_id, third.body.execution_id]).toEqual([
    first.body.execution_id,
    first.body.execution_id,
  ]);
  const write = () =>
    ada.execute(
      "write_file",
      { file_path: "w.txt", content: "w", append: true },
      { "idempotency-key": "k2" },
    );
  const writes = await Promise.all([write(), write()]);
  expect(writes.map(({ body }) => body)).toEqual([
    { file_path: "w.txt", bytes_written: 1, size: 1 },
    { file_path: "w.txt", bytes_written: 1, size: 1 },
  ]);
  const other = await ada.execute("execute_bash", { command: "true" }, key);
  expect(other).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
});

test("a key of a call that was refused before it ran can be used again", async () => {
  const key = { "idempotency-key": "refused" };
  const call = () => ada.execute("edit_file", { file_path: "later.txt", old_text: "a", new_text: "b" }, key);
  expect((await call()).status).toBe(404);
  await ada.execute("write_file", { file_path: "later.txt", content: "a" });
  expect((await call()).body).toMatchObject({ replacements: 1 });
  expect((await call()).body).toMatchObject({ replacements: 1 });
});

test("a key of a call that broke off in the middle stands for what it may have done", async () => {
  const bob = await own.caller();
  const { body } = await bob.execute("execute_bash", { command: "echo one > log.txt" });
  const container = await containerOf(body.execution_id);
  const append = (n: number) =>
    bob.execute(
      "write_file",
      { file_path: "log.txt", content: "two\n", append: true },
      { "idempotency-key": `append-${n}` },
    );
  // Call after call, so that one of them is with the sandbox when that freezes: after a silence it would be asked first.
  const broken = (async () => {
    for (let n = 0; ; n++) {
      const answer = await append(n);
      if (answer.status !== 200) return { ...answer, n };
    }
  })();
  await container.pause();
  const opened = () => readSample(own.cove.url, ada.token, 'cove_stage_seconds_count{stage="open"}');
  const openedWithin = async (ms: number) => {
    const before = await opened();
    await sleep(ms);
    return (await opened()) - before;
  };
  await expect.poll(() => openedWithin(300), { timeout: 30_000 }).toBe(0);
  await container.kill();
  const { n, ...answer } = await broken;
  expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
  expect((await append(n)).body).toMatchObject({ status: "failed" });
  const { content } = (await bob.execute("read_file", { file_path: "log.txt" })).body;
  expect(content.split("\n")).toEqual(["one", ...Array(n).fill("two")]);
});

async function containerOf(executionId: string): Promise<Docker.Container> {
  const { db } = await databaseOf(own.cove.dataDir);
  const { rows } = await db.execute<{ id: string }>(
    sql`select sandbox_id as id from executions where id = ${executionId}`,
  );
  return new Docker().getContainer(containerName(rows[0]?.id ?? ""));
}

test("arguments are kept exactly, whatever characters they hold", async () => {
  const args = { file_path: "exact.txt", content: "exactly: \0 \ud800 \u202e" };
  await ada.execute("write_file", args);
  const { db } = await databaseOf(own.cove.dataDir);
  const { rows } = await db.execute<{ arguments: string }>(
    sql`select arguments from executions where arguments like '%exactly:%'`,
  );
  expect(rows.map((row) => JSON.parse(row.arguments))).toEqual([args]);
});
