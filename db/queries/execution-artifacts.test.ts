import { createHash } from "node:crypto";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { deleteArtifactRows, insertArtifacts } from "./artifact-changes.ts";
import { listExecutionArtifacts } from "./artifacts.ts";
import { finishExecution, insertExecution } from "./executions.ts";
import { deleteRuns } from "./history.ts";
import { insertUser } from "./users.ts";

const own = ownDatabase();

test("a run has what it made, also where another run had made the same before", async () => {
  const { db } = own.client;
  const ada = await someone("ada@example.com");
  const first = await keep(ada, "same");
  const again = await keep(ada, "same");
  const changed = await keep(ada, "other");
  const versionsOf = async (run: string, who = ada) =>
    (await listExecutionArtifacts(db, who, run)).map(({ version }) => version);

  expect(await versionsOf(first)).toEqual([1]);
  expect(await versionsOf(again)).toEqual([1]);
  expect(await versionsOf(changed)).toEqual([2]);
  expect(await versionsOf(again, await someone("bob@example.com"))).toEqual([]);

  await deleteRuns(db, ada, [first]);
  expect(await versionsOf(again)).toEqual([1]);
  const [kept] = await listExecutionArtifacts(db, ada, again);
  await deleteArtifactRows(db, ada, [kept?.id ?? ""]);
  expect(await versionsOf(again)).toEqual([]);
});

async function someone(email: string): Promise<string> {
  const user = await insertUser(own.client.db, { email, name: "Test" });
  return user?.id ?? "";
}

/** A run that leaves a file of this content, looked at twice as a run that is followed may be. Resolves to its id. */
async function keep(userId: string, content: string): Promise<string> {
  const { db } = own.client;
  const executionId = v7();
  const call = { tool: "execute_bash", arguments: "{}", status: "running" };
  await insertExecution(db, { id: executionId, userId, door: "rest", ...call });
  const file = {
    executionId,
    door: "rest",
    source: "file",
    path: "/workspace/a.txt",
    name: "a.txt",
    mime: "text/plain",
    kind: "text",
    size: content.length,
    pathKey: createHash("sha256").update("a").digest(),
    sha256: createHash("sha256").update(content).digest(),
  };
  await insertArtifacts(db, userId, [file], 2 ** 20);
  await insertArtifacts(db, userId, [file], 2 ** 20);
  await finishExecution(db, executionId, { status: "completed" });
  return executionId;
}
