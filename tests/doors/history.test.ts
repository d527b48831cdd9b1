// What a run leaves in the history.
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { countRunsByDay } from "#db/queries/execution-days.ts";
import { findRun } from "#db/queries/history.ts";
import { findHistoryPage } from "#db/queries/history-page.ts";
import { findUserByEmail } from "#db/queries/users.ts";
import { executions } from "#db/schema.ts";
import { type Caller, ownCove } from "../support/caller.ts";
import { databaseOf } from "../support/people.ts";
import { newWebPerson } from "../support/web-person.ts";

const own = ownCove();
let ada: Caller;
let userId: string;

beforeAll(async () => {
  ada = await own.caller();
  const { db } = await databaseOf(own.cove.dataDir);
  userId = (await findUserByEmail(db, ada.email))?.id ?? "";
});

test("code, output, resources, session and refusals are on record, and found by their words", async () => {
  const { db } = await databaseOf(own.cove.dataDir);
  const code =
    "import subprocess\nsubprocess.run(['curl', '-sS', 'http://example.com/'])\nprint('Zebra' + chr(0))";
  const { body } = await ada.execute("execute_python", { code, session: "zoo" });
  const run = await findRun(db, userId, body.execution_id);
  expect(run).toMatchObject({
    tool: "execute_python",
    door: "rest",
    status: "completed",
    summary: "import subprocess",
    session: "zoo",
    cpuMs: expect.any(Number),
    memoryBytes: expect.any(Number),
  });
  expect(run?.stdout?.toString()).toContain("Zebra\0\n");
  expect(JSON.parse(run?.deniedHosts ?? "")).toMatchObject([{ host: "example.com", port: 80 }]);
  for (const words of [["zebra"], ["subproc"], ["curl", "zeb"]]) {
    const { ids } = await findHistoryPage(db, userId, { words }, { size: 10 });
    expect(ids).toEqual([body.execution_id]);
  }
});

test("a call with NUL and halves of characters in it is kept, listed and counted", async () => {
  const { db } = await databaseOf(own.cove.dataDir);
  const content = "half \ud800 and \0 nothing";
  const { status } = await ada.execute("write_file", { file_path: "odd.txt", content });
  const { ids } = await findHistoryPage(db, userId, { tool: "write_file" }, { size: 10 });
  const run = await findRun(db, userId, ids[0] ?? "");
  expect(JSON.parse(run?.arguments ?? "")).toMatchObject({ content });
  expect(run?.status).toBe(status === 200 ? "completed" : "failed");
  const counts = await countRunsByDay(db, userId, { tool: "write_file" });
  expect(counts.map(({ runs }) => runs)).toEqual([1]);
});

test("every run that ended is counted, and none twice", async () => {
  const { db } = await databaseOf(own.cove.dataDir);
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => ada.execute("execute_bash", { command: `exit ${n % 2}` })),
  );
  const rows = await db
    .select({ status: executions.status })
    .from(executions)
    .where(eq(executions.userId, userId));
  const counts = await countRunsByDay(db, userId, {});
  expect(counts.reduce((sum, { runs }) => sum + runs, 0)).toBe(rows.length);
});

test("a run that makes what was there already has made it, too", async () => {
  const command = "mkdir -p outputs; echo same > outputs/same.txt";
  const { body: first } = await ada.execute("execute_bash", { command });
  const { body: again } = await ada.execute("execute_bash", { command });
  expect(again.artifacts).toMatchObject([{ id: first.artifacts[0].id, path: "/workspace/outputs/same.txt" }]);
  const { body: later } = await ada.execute("check_execution", { execution_id: again.execution_id });
  expect(later.artifacts).toMatchObject([{ id: first.artifacts[0].id }]);
});

test("a change made by hand is found by its words", async () => {
  const { db } = await databaseOf(own.cove.dataDir);
  const bob = await newWebPerson(own.cove);
  await bob.call("POST", "/api/files/folder", { path: "Quarterly reports" });
  const { ids } = await findHistoryPage(db, bob.id, { words: ["quarterly"] }, { size: 10 });
  expect(await findRun(db, bob.id, ids[0] ?? "")).toMatchObject({
    door: "web",
    tool: "make_folder",
    summary: "/workspace/Quarterly reports",
  });
});
