import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "#db/queries/audit.ts";
import { finishExecution, insertExecution } from "#db/queries/executions.ts";
import { insertSandbox } from "#db/queries/sandboxes.ts";
import { consoleRuns, consoles, executionDays, executions, sandboxes } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import { applyRetention, planRetention } from "./retention.ts";

ownDatabase();

const DAY_MS = 24 * 3_600_000;
const now = Date.now();
const ago = (days: number) => now - days * DAY_MS;
let ada: string;

beforeAll(async () => {
  ada = (await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" })).id;
});

async function run(days: number, finished = true): Promise<string> {
  const id = v7({ msecs: ago(days) });
  const call = { userId: ada, door: "rest" as const, tool: "execute_bash", arguments: "{}", summary: "" };
  await insertExecution(db(), { ...call, id, words: [], status: "running" });
  if (finished) await finishExecution(db(), id, { status: "completed", durationMs: 1 });
  return id;
}

test("what is older than it is kept goes, and nothing else", async () => {
  const old = await run(31);
  const unfinished = await run(31, false);
  const young = await run(29);
  const [cells] = await db()
    .insert(consoles)
    .values({ userId: ada, name: "x", session: "default", cells: "[]" })
    .returning();
  const consoleId = cells?.id ?? "";
  await db()
    .insert(consoleRuns)
    .values([
      { consoleId, cellId: "a", executionId: old },
      { consoleId, cellId: "b", executionId: young },
    ]);

  expect(await planRetention({ runs: 30 }, now)).toMatchObject({ runs: 1, artifacts: 0, workspaces: [] });
  expect(await planRetention({}, now)).toMatchObject({ runs: 0 });
  expect(await applyRetention({ runs: 30 }, now)).toMatchObject({ runs: 1 });

  const left = (await db().select({ id: executions.id }).from(executions)).map(({ id }) => id);
  expect(left.sort()).toEqual([unfinished, young].sort());
  expect(await db().select({ cellId: consoleRuns.cellId }).from(consoleRuns)).toEqual([{ cellId: "b" }]);
  const [day] = await db().select({ used: executionDays.usedRuns }).from(executionDays);
  expect(day?.used).toBe(2);
  expect(await listAudit(db(), { action: "retention.applied" }, 5)).toMatchObject([
    { actor: "server", subject: "1 runs" },
  ]);
  expect(await applyRetention({ runs: 30 }, now)).toMatchObject({ runs: 0 });
});

test("a workspace goes when nobody has used it for so long; one that can't is named no more than that", async () => {
  await insertSandbox(db(), { id: "s-ada", userId: ada, first: 20_000, last: 20_010 });
  expect(await planRetention({ workspaces: 90 }, now)).toMatchObject({ workspaces: [] });
  await db()
    .update(sandboxes)
    .set({ lastUsedAt: new Date(ago(91)) })
    .where(eq(sandboxes.id, "s-ada"));
  expect(await planRetention({ workspaces: 90 }, now)).toMatchObject({ workspaces: ["ada@example.com"] });
  const refused = () => Promise.reject(new Error("No engine."));
  expect(await applyRetention({ workspaces: 90 }, now, refused)).toMatchObject({ workspaces: [] });
  const destroyed: string[] = [];
  const destroy = async (userId: string) => void destroyed.push(userId);
  expect(await applyRetention({ workspaces: 90 }, now, destroy)).toMatchObject({
    workspaces: ["ada@example.com"],
  });
  expect(destroyed).toEqual([ada]);
});
