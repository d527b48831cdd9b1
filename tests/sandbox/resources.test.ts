// What runs use, who runs, and looking at a sandbox without disturbing it.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

const MB = 2 ** 20;
const BURN =
  "python3 -c 'x = bytearray(60_000_000); x[::4096] = b\"1\" * len(x[::4096]); sum(range(20_000_000))'";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes({ idle: { pauseAfterMs: 1_500, stopAfterMs: 0, everyMs: 200 } });
  sandbox = await fixture.sandboxes.open("ann");
});
afterAll(() => fixture.cleanUp());

test("a command says what its whole tree used", async () => {
  const { cpuMs, memoryBytes } = await sandbox.run(`(${BURN}) & wait; true`);
  expect(cpuMs).toBeGreaterThan(50);
  expect(memoryBytes).toBeGreaterThan(60 * MB);
  const small = await sandbox.run("true");
  expect(small.cpuMs).toBeLessThan(cpuMs ?? 0);
  expect(small.memoryBytes).toBeLessThan(60 * MB);
});

test("so does one that had to be ended, its children included", async () => {
  const { status, cpuMs } = await sandbox.run("(while :; do :; done) & (while :; do :; done); wait", {
    timeoutMs: 1_500,
  });
  expect(status).toBe("timeout");
  expect(cpuMs).toBeGreaterThan(100);
});

test("a cell says what it used itself, not what its session did before", async () => {
  const heavy = await sandbox.python("x = bytearray(50_000_000); sum(range(20_000_000)); del x");
  const light = await sandbox.python("1 + 1");
  expect(heavy.cpuMs).toBeGreaterThan(50);
  expect(light.cpuMs).toBeLessThan(heavy.cpuMs ?? 0);
  expect((heavy.memoryBytes ?? 0) - (light.memoryBytes ?? 0)).toBeGreaterThan(30 * MB);
});

test("processes are listed with what they belong to, and one can be stopped", async () => {
  const running = await sandbox.run("sleep 600", { background: true });
  const left = await sandbox.run("sleep 700 & disown");
  await sandbox.python("import subprocess; p = subprocess.Popen(['sleep', '800'])");
  const found = async () => (await fixture.sandboxes.glance("ann", { processes: true }))?.processes;
  const byCommand = (command: string) => async () =>
    (await found())?.processes.find((process) => process.command === command);
  expect(await byCommand("sleep 600")()).toMatchObject({ executionId: running.executionId, name: "sleep" });
  expect(await byCommand("sleep 700")()).toMatchObject({ executionId: left.executionId });
  expect(await byCommand("sleep 800")()).toMatchObject({ session: "default" });

  const victim = await byCommand("sleep 700")();
  if (!victim) throw new Error("not listed");
  expect(await sandbox.signalProcess({ ...victim, started: victim.started + 1 }, "KILL")).toBe(false);
  expect(await sandbox.signalProcess(victim, "TERM")).toBe(true);
  await expect.poll(byCommand("sleep 700"), { timeout: 10_000 }).toBeUndefined();
  expect(await sandbox.signalProcess({ pid: 1, started: 0 }, "KILL")).toBe(false);

  await sandbox.stop(running.executionId);
  await sandbox.resetSession();
  await expect.poll(async () => (await found())?.total, { timeout: 10_000 }).toBe(0);
});

test("a glance makes nothing, wakes nothing and keeps nothing awake", async () => {
  expect(await fixture.sandboxes.glance("nobody")).toBeUndefined();
  expect(await fixture.sandboxes.status("nobody")).toBeUndefined();

  await sandbox.run("true");
  const state = async () => (await fixture.sandboxes.glance("ann", { processes: true }))?.state;
  await expect.poll(state, { timeout: 60_000, interval: 100 }).toBe("paused");
  expect(await fixture.sandboxes.glance("ann")).toEqual({ state: "paused" });
  await fixture.sandboxes.stop("ann");
  expect(await fixture.sandboxes.glance("ann")).toEqual({ state: "stopped" });
  expect((await fixture.sandboxes.status("ann"))?.state).toBe("stopped");

  expect((await sandbox.run("echo back")).stdout.toString()).toBe("back\n");
  expect(await fixture.sandboxes.glance("ann")).toMatchObject({
    state: "active",
    info: { memoryBytes: expect.any(Number) },
  });
});
