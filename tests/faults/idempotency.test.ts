// Whoever doesn't hear the answer asks again. With a key that is safe, whatever became of the first time.

import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, newCaller } from "../support/caller.ts";
import { type Cove, removeInstallation, startCove } from "../support/cove.ts";
import { serverOf } from "../support/kill.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { databaseOf } from "../support/people.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let dataDir: string;
let cove: Cove;
let ada: Caller;
beforeAll(async () => {
  dataDir = await temporaryDirectory();
  cove = await startCove({ COVE_DATA_DIR: dataDir });
  ada = await newCaller(cove);
});
afterAll(async () => {
  await cove.stop();
  await removeInstallation(dataDir);
});

describe("same request twice with an idempotency key", () => {
  test("at the same time, ten times: one execution, and everybody hears of it", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => append("at-once", 0.5)));
    expect(new Set(answers.map(({ body }) => body.execution_id)).size).toBe(1);
    for (const { status, body } of answers) expect([status, body.stdout]).toEqual([200, "done\n"]);
    expect(await ran("at-once")).toEqual({ lines: 1, rows: 1 });
  });

  test("by somebody who hung up in the middle: the first one's end", async () => {
    const hungUp = new AbortController();
    const first = fetch(`${cove.url}/execute`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${ada.token}`,
        "content-type": "application/json",
        "idempotency-key": "hung-up",
      },
      body: JSON.stringify({
        name: "execute_bash",
        arguments: { command: command("hung-up", 2), timeout: 60 },
      }),
      signal: hungUp.signal,
    }).catch(() => "gone");
    await expect.poll(() => ran("hung-up")).toEqual({ lines: 1, rows: 1 });
    hungUp.abort();
    expect(await first).toBe("gone");
    expect((await append("hung-up", 2)).body).toMatchObject({ status: "completed", stdout: "done\n" });
    expect(await ran("hung-up")).toEqual({ lines: 1, rows: 1 });
  });

  test("through another door: one execution", async () => {
    const client = await mcpClient(cove.url, ada.token);
    const call = () =>
      client.callTool({
        name: "execute_bash",
        arguments: { command: command("by-mcp", 0.3), timeout: 60 },
        _meta: { "cove/idempotency-key": "by-mcp" },
      });
    const [one, other] = await Promise.all([call(), call()]);
    expect(one.structuredContent).toMatchObject({ status: "completed", stdout: "done\n" });
    expect(other.structuredContent).toMatchObject({
      execution_id: (one.structuredContent as { execution_id: string }).execution_id,
    });
    expect((await append("by-mcp", 0.3)).body.execution_id).toBe(
      (one.structuredContent as { execution_id: string }).execution_id,
    );
    await client.close();
    expect(await ran("by-mcp")).toEqual({ lines: 1, rows: 1 });
  });

  test("for another request, the key is refused; with another's key, nobody hears of anything", async () => {
    await append("taken", 0);
    const other = await ada.execute(
      "execute_bash",
      { command: "echo other" },
      { "idempotency-key": "taken" },
    );
    expect(other).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    const bob = await newCaller(cove);
    const his = await bob.execute("execute_bash", { command: "echo his" }, { "idempotency-key": "taken" });
    expect(his.body).toMatchObject({ status: "completed", stdout: "his\n" });
  });

  test("after the server was killed in the middle of it: one execution, told to its end", async () => {
    const lost = append("killed", 5).catch(() => "lost");
    await expect.poll(() => ran("killed")).toEqual({ lines: 1, rows: 1 });
    process.kill((await serverOf(cove)) as number, "SIGKILL");
    expect(await lost).toBe("lost");
    await expect.poll(cove.output, { timeout: 60_000 }).toContain("✓ The server runs again");
    const again = await append("killed", 5);
    expect(again.body).toMatchObject({ status: "completed", stdout: "done\n" });
    expect(await ran("killed")).toEqual({ lines: 1, rows: 1 });
    expect((await append("killed", 5)).body.execution_id).toBe(again.body.execution_id);
  });
});

function command(name: string, seconds: number): string {
  return `echo x >> ${name}; sleep ${seconds}; echo done`;
}

function append(name: string, seconds: number) {
  const args = { command: command(name, seconds), timeout: 60 };
  return ada.execute("execute_bash", args, { "idempotency-key": name });
}

/** How often it happened, and how often it is on record. */
async function ran(name: string): Promise<{ lines: number; rows: number }> {
  const { body } = await ada.execute("read_file", { file_path: name });
  const { db } = await databaseOf(dataDir);
  const { rows } = await db.execute(sql`select id from executions where arguments like ${`%>> ${name};%`}`);
  return { lines: (body.content ?? "").split("x").length - 1, rows: rows.length };
}
