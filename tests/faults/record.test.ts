// What becomes of runs and their records when the server or the database goes away in the middle.
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Caller, callerWith, newCaller } from "../support/caller.ts";
import { removeInstallation, startCove } from "../support/cove.ts";
import { takeDatabaseAway } from "../support/database-away.ts";
import { serverOf } from "../support/kill.ts";
import { databaseOf } from "../support/people.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("server killed mid-run", () => {
  test("a server that is killed in the middle of runs records them when it is back", async () => {
    const cove = await startCove();
    const ada = await newCaller(cove);
    const begin = async (command: string) =>
      (await ada.execute("execute_bash", { command, background: true })).body.execution_id as string;
    const short = await begin("echo before; sleep 3; echo after");
    const long = await begin("echo long; sleep 600");

    process.kill((await serverOf(cove)) as number, "SIGKILL");
    await expect.poll(cove.output, { timeout: 60_000 }).toContain("✓ The server runs again");

    const check = async (id: string, wait: number) =>
      (await ada.execute("check_execution", { execution_id: id, wait })).body;
    expect(await check(short, 20)).toMatchObject({ status: "completed", stdout: "before\nafter\n" });
    await expect.poll(() => check(long, 0)).toMatchObject({ status: "running", stdout: "long\n" });
    await ada.execute("stop_execution", { execution_id: long });
    expect(await check(long, 5)).toMatchObject({ status: "cancelled" });
    await cove.stop();
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
    await removeInstallation(dataDir);
  });
});

describe("Postgres down for 30 s", () => {
  test("new work is refused before it runs, finished results are written later, nothing is lost and nothing twice", async () => {
    const cove = await startCove();
    const ada = await newCaller(cove);
    const run = (name: string, seconds: number) =>
      ada.execute(
        "execute_bash",
        { command: `echo ${name} >> ran; sleep ${seconds}; echo done`, timeout: 100 },
        { "idempotency-key": name },
      );
    await run("before", 0);
    const during = run("during", 3);
    const across = run("across", 33);
    await expect.poll(() => unfinished(ada)).toBe(2);

    const back = await takeDatabaseAway(cove);
    const until = Date.now() + 30_000;
    expect((await during).body).toMatchObject({ status: "completed", stdout: "done\n" });
    while (Date.now() < until) {
      // What ran already is refused as well: whether it did is in the database alone.
      for (const name of ["refused", "during"]) {
        const refused = await run(name, 0);
        expect(refused).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
      }
      const health = await fetch(`${cove.url}/health`);
      expect([health.status, (await health.json()).database]).toEqual([503, "down"]);
      await sleep(1000);
    }
    await back();

    const { body } = await across;
    expect(body).toMatchObject({ status: "completed", stdout: "done\n" });
    const ids = { during: (await during).body.execution_id, across: body.execution_id };
    for (const id of Object.values(ids)) {
      await expect.poll(() => status(ada, id), { timeout: 30_000 }).toBe("completed");
    }
    expect((await run("during", 3)).body).toMatchObject({ execution_id: ids.during, stdout: "done\n" });
    expect((await run("refused", 0)).body).toMatchObject({ status: "completed" });
    const ran = await ada.execute("execute_bash", { command: "sort ran" });
    expect(ran.body.stdout).toBe("across\nbefore\nduring\nrefused\n");
    const { db } = await databaseOf(cove.dataDir);
    const recorded = async () => {
      const { rows } = await db.execute<{ key: string; status: string }>(
        sql`select idempotency_key as key, status from executions where idempotency_key is not null order by 1`,
      );
      return rows.map(({ key, status }) => `${key} ${status}`);
    };
    // It is tried again and again, with longer and longer pauses.
    await expect
      .poll(recorded, { timeout: 45_000, interval: 500 })
      .toEqual(["across completed", "before completed", "during completed", "refused completed"]);
    await cove.stop();
  }, 180_000);
});

async function status(caller: Caller, executionId: string): Promise<string> {
  const { body } = await caller.execute("check_execution", { execution_id: executionId, wait: 0 });
  return body.status;
}

async function unfinished(caller: Caller): Promise<number> {
  return (await caller.execute("sandbox_info")).body.running.length;
}
