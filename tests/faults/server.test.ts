// The server is killed while a command runs. The next one finds the sandbox, and the run in it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryOwnership, type SandboxRecord } from "#sandbox/index.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let at: Installation;
let child: ChildProcess | undefined;
let all: TestSandboxes | undefined;
beforeEach(async () => {
  at = await newInstallation();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await (all ?? at).cleanUp();
  all = child = undefined;
});

/** Kills a server once its command has printed something, and resolves to the records it had. */
async function killServerRunning(command: string): Promise<SandboxRecord[]> {
  const { installation, dataDir, image } = at;
  const disk = { bytes: 64 * 2 ** 20, reserveBytes: 0 };
  const options = JSON.stringify({ installation, dataDir, image, disk, warmPool: 0, command });
  const script = join(import.meta.dirname, "../support/server-child.ts");
  child = spawn(process.execPath, [script, options], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line");
  child.kill("SIGKILL");
  await once(child, "exit");
  return JSON.parse(line);
}

async function nextServer(records: SandboxRecord[]): Promise<TestSandboxes> {
  all = await testSandboxes({ ownership: memoryOwnership(records) }, at);
  return all;
}

describe("server killed mid-run", () => {
  test("a run that goes on while no server is there is found again with all of its output", async () => {
    const records = await killServerRunning("for i in 1 2 3 4; do echo $i; sleep 0.5; done");
    const started = performance.now();
    const next = await nextServer(records);
    const result = await (await next.sandboxes.open("ann")).attach("the-run");
    expect([result.status, result.exitCode, result.stdout.toString()]).toEqual([
      "completed",
      0,
      "1\n2\n3\n4\n",
    ]);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await next.sh("ann", "cat /workspace/note")).toBe("kept");
  });

  test("a run that ended while no server was there is remembered", async () => {
    const records = await killServerRunning("echo begun; sleep 0.5; echo over; exit 3");
    await expect.poll(() => commandsIn(at), { timeout: 20_000 }).toEqual([]);
    const result = await (await (await nextServer(records)).sandboxes.open("ann")).attach("the-run");
    expect([result.status, result.exitCode, result.stdout.toString()]).toEqual([
      "failed",
      3,
      "begun\nover\n",
    ]);
  });

  test("a run whose container is gone too is said to be unknown, and the next command works", async () => {
    const records = await killServerRunning("echo begun; sleep 30");
    for (const { Id } of await at.containers()) await at.docker.getContainer(Id).remove({ force: true });
    const next = await nextServer(records);
    const ann = await next.sandboxes.open("ann");
    await expect(ann.attach("the-run")).rejects.toMatchObject({ code: "execution_not_found" });
    expect(await next.sh("ann", "cat /workspace/note")).toBe("kept");
  });

  test("a killed server leaves no relay behind for long", async () => {
    const records = await killServerRunning("echo begun; sleep 1");
    const next = await nextServer(records);
    await expect.poll(() => next.sh("ann", "pgrep -cx nc"), { timeout: 55_000, interval: 1000 }).toBe("1");
  });

  test("with no record of a sandbox its container is swept, and its workspace left alone", async () => {
    await killServerRunning("echo begun; sleep 30");
    const next = await nextServer([]);
    expect(await next.containers()).toEqual([]);
    expect(next.warnings.map(({ message }) => message)).toEqual([
      "Workspaces without an owner are left alone",
    ]);
  });
});

/** What runs in its containers besides the daemon and the relays to it. */
async function commandsIn({ docker, containers }: Installation): Promise<string[]> {
  const tables = await Promise.all((await containers()).map(({ Id }) => docker.getContainer(Id).top()));
  const commands = tables.flatMap(({ Processes }) => Processes as string[][]).map((row) => row.at(-1) ?? "");
  return commands.filter((command) => /sleep|bash/.test(command));
}
