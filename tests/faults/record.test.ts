// What becomes of runs and their records when the server or the database goes away in the middle.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Caller, callerWith, newCaller } from "../support/caller.ts";
import { removeInstallation, startCove } from "../support/cove.ts";
import { takeDatabaseAway } from "../support/database-away.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("a server that is killed in the middle of runs records them when it is back", async () => {
  const dataDir = await temporaryDirectory();
  const first = await startCove({ COVE_DATA_DIR: dataDir });
  const ada = await newCaller(first);
  const begin = async (command: string) =>
    (await ada.execute("execute_bash", { command, background: true })).body.execution_id as string;
  const short = await begin("echo before; sleep 3; echo after");
  const long = await begin("echo long; sleep 600");

  const ended = new Promise((resolve) => first.process.once("exit", resolve));
  execFileSync("pkill", ["-9", "-P", String(first.process.pid)]);
  expect(await ended).toBe(1);

  const second = await startCove({ COVE_DATA_DIR: dataDir });
  const again = callerWith(second.url, ada.email, ada.token);
  const check = async (id: string, wait: number) =>
    (await again.execute("check_execution", { execution_id: id, wait })).body;
  expect(await check(short, 20)).toMatchObject({ status: "completed", stdout: "before\nafter\n" });
  expect(await check(long, 0)).toMatchObject({ status: "running", stdout: "long\n" });
  await again.execute("stop_execution", { execution_id: long });
  expect(await check(long, 5)).toMatchObject({ status: "cancelled" });

  await second.stop();
  await cleanUp(dataDir);
});

test("runs of containers that a shutdown removed are interrupted at the next start, never running", async () => {
  const dataDir = await temporaryDirectory();
  const first = await startCove({ COVE_DATA_DIR: dataDir });
  const ada = await newCaller(first);
  const { body } = await ada.execute("execute_bash", { command: "sleep 600", background: true });
  await first.stop();

  const second = await startCove({ COVE_DATA_DIR: dataDir });
  const again = callerWith(second.url, ada.email, ada.token);
  await expect.poll(() => status(again, body.execution_id), { timeout: 10_000 }).toBe("interrupted");
  await second.stop();
  await cleanUp(dataDir);
});

test("while the database is away new work is refused before it runs, and what was running is recorded later", async () => {
  const cove = await startCove();
  const ada = await newCaller(cove);
  await ada.execute("execute_bash", { command: "true" });
  const running = ada.execute("execute_bash", { command: "sleep 3; echo done" });
  await expect.poll(() => unfinished(ada)).toBe(1);

  const back = await takeDatabaseAway(cove);
  const refused = await ada.execute("execute_bash", { command: "touch never" });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
  const { body } = await running;
  expect(body).toMatchObject({ status: "completed", stdout: "done\n" });

  await back();
  await expect.poll(() => status(ada, body.execution_id), { timeout: 20_000 }).toBe("completed");
  expect((await ada.execute("execute_bash", { command: "ls" })).body.stdout).not.toContain("never");
  await cove.stop();
});

async function status(caller: Caller, executionId: string): Promise<string> {
  const { body } = await caller.execute("check_execution", { execution_id: executionId, wait: 0 });
  return body.status;
}

async function unfinished(caller: Caller): Promise<number> {
  return (await caller.execute("sandbox_info")).body.running.length;
}

async function cleanUp(dataDir: string): Promise<void> {
  await removeInstallation(dataDir);
}
