// SECURITY.md 1–5: processes that multiply, hide, refuse to die or eat all memory.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let attacker: Sandbox;
let bystander: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes();
  attacker = await fixture.sandboxes.open("attacker");
  bystander = await fixture.sandboxes.open("bystander");
});
afterAll(() => fixture.cleanUp());

describe("1. Fork bombs", () => {
  test("one stays within its limit, others are answered within a second, and the own next command works", async () => {
    const { bootId } = await attacker.info();
    const bomb = attacker.run("bomb() { bomb | bomb & }; bomb; sleep 20", { timeoutMs: 3000 });
    await expect.poll(async () => (await attacker.info()).pids, { timeout: 2500 }).toBeGreaterThan(120);
    for (let n = 0; n < 5; n++) {
      const began = performance.now();
      expect(await say(bystander)).toBe("fine\n");
      expect(performance.now() - began).toBeLessThan(1000);
      expect((await attacker.info()).pids).toBeLessThanOrEqual(128);
    }
    expect((await bomb).status).toBe("timeout");
    expect(await say(attacker)).toBe("fine\n");
    expect((await attacker.info()).bootId).toBe(bootId);
  });

  test("a fork bomb left behind makes room for the next command", async () => {
    await attacker.run("bomb() { bomb | bomb & }; bomb", { timeoutMs: 5000 });
    await expect.poll(async () => (await attacker.info()).pids, { timeout: 20_000 }).toBeGreaterThan(120);
    const result = await attacker.run("for i in 1 2 3; do /bin/echo fine; done");
    expect(String(result.stdout)).toBe("fine\nfine\nfine\n");
    await settled(attacker);
  });

  test("idle processes up to the limit make room for the next command", async () => {
    const result = await attacker.run("for i in $(seq 1 120); do sleep 300 & done 2>/dev/null; echo full", {
      timeoutMs: 10_000,
    });
    expect(result.strays.length).toBeGreaterThan(10);
    expect(String((await attacker.run("/bin/echo fine | cat")).stdout)).toBe("fine\n");
    await settled(attacker);
  });
});

const trees: Record<string, string> = {
  "a new session": "setsid sleep 61 & sleep 62",
  "a double fork": "(setsid bash -c 'sleep 63 & sleep 64 & wait' &) ; sleep 65",
  "nohup and no environment": "env -i nohup setsid env -i /bin/sleep 66 >/dev/null 2>&1 & sleep 67",
  "a daemon that lost its parents": `python3 -c '
import os, time
for _ in range(3):
    if os.fork(): os._exit(0)
    os.setsid()
os.closerange(0, 100); os.environ.clear()
os.execve("/bin/sleep", ["sleep", "68"], {})' ; sleep 69`,
  "a child that ignores SIGTERM":
    "trap '' TERM; bash -c 'trap \"\" TERM HUP INT; sleep 70; sleep 71' & sleep 72; sleep 73",
  "children that keep making children":
    "python3 -c '\nimport os, time\nwhile True:\n    if os.fork(): os._exit(0)\n    os.setsid(); time.sleep(0.001)' & sleep 74",
  "a shell that was killed by its child":
    "bash -c \"setsid bash -c 'kill -9 \\$PPID; exec sleep 75' & wait\"; sleep 76",
};

describe("2. Deadlines on trees that hide", () => {
  test.each(Object.entries(trees))(
    "a tree with %s ends in time, and nobody survives",
    async (_what, command) => {
      await settled(attacker);
      const began = performance.now();
      const result = await attacker.run(command, { timeoutMs: 700 });
      expect(performance.now() - began).toBeLessThan(1700);
      expect(result.status).toBe("timeout");
      expect(await attacker.info()).toMatchObject({ processes: 0 });
    },
  );
});

describe("3. Children that refuse to die, or kill others", () => {
  test("what kills its shell is listed as left behind, with the right status", async () => {
    const result = await attacker.run("setsid bash -c 'sleep 0.1; kill -9 $PPID; sleep 30' & sleep 30");
    expect(result).toMatchObject({ status: "failed", signal: "SIGKILL", exitCode: null });
    expect(result.strays.length).toBeGreaterThan(0);
    await attacker.run("pkill -9 sleep; pkill -9 -f 'kill -9'");
    await settled(attacker);
  });

  test("what ignores every polite signal is stopped all the same", async () => {
    const deaf = "trap '' TERM HUP INT; echo deaf; while :; do sleep 30; done";
    const begun = Promise.withResolvers<void>();
    const options = { executionId: "deaf", onOutput: () => begun.resolve() };
    const running = attacker.run(`bash -c '${deaf.replaceAll("'", '"')}'; sleep 30`, options);
    await begun.promise;
    await attacker.stop("deaf");
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(await attacker.info()).toMatchObject({ processes: 0 });
  });

  test("what kills everything there is has killed itself, and the daemon runs on", async () => {
    const { bootId } = await attacker.info();
    const results = await Promise.all([
      attacker.run("sleep 30"),
      attacker.run("sleep 0.2; kill -9 -1; sleep 30"),
    ]);
    for (const result of results) expect(result).toMatchObject({ status: "failed", signal: "SIGKILL" });
    expect(await attacker.info()).toMatchObject({ processes: 0, idle: true, bootId });
    expect(await say(attacker)).toBe("fine\n");
  });

  test("nothing inside ends or stops the daemon", async () => {
    const { bootId } = await attacker.info();
    const signals = Array.from({ length: 64 }, (_, index) => index + 1).filter((n) => n !== 32 && n !== 33);
    await attacker.run(`for s in ${signals.join(" ")}; do kill -$s 1; done 2>/dev/null; true`);
    expect(await say(attacker)).toBe("fine\n");
    expect((await attacker.info()).bootId).toBe(bootId);
  });

  test("stopping everything that can be stopped holds nothing up for long", async () => {
    const stopped = attacker.run("sleep 0.2; kill -STOP -1; kill -STOP $$", { timeoutMs: 1000 });
    await expect(stopped).resolves.toMatchObject({ status: "timeout" });
    expect(await say(attacker)).toBe("fine\n");
  });

  test("the daemon can't be read, traced or robbed of its descriptors", async () => {
    const look =
      "cat /proc/1/environ /proc/1/maps /proc/1/mem; ls /proc/1/fd /proc/1/cwd/; readlink /proc/1/exe";
    const { stdout, stderr } = await attacker.run(look);
    expect(String(stdout)).toBe("");
    expect(String(stderr)).toMatch(/Permission denied/);
  });
});

describe("4. Background processes that keep stdout open", () => {
  test("the call returns when its shell exits", async () => {
    const began = performance.now();
    const result = await attacker.run("(sleep 30; echo late) & echo now");
    // Long before what it left behind, however busy the machine is.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(result).toMatchObject({ status: "completed" });
    expect(String(result.stdout)).toBe("now\n");
    await attacker.run("pkill -9 sleep");
    await settled(attacker);
  });
});

describe("5. Memory without end", () => {
  test("an allocation without end is `oom`, and another command in the same sandbox lives", async () => {
    const neighbour = attacker.run("sleep 3; echo alive");
    const result = await attacker.run(
      "python3 -c 'x = bytearray(100 * 2**30)' || python3 -c 'x = [bytearray(2**20) for _ in range(10**5)]'",
    );
    expect(result).toMatchObject({ status: "oom" });
    expect(result.exitCode === 137 || result.signal === "SIGKILL").toBe(true);
    expect(String((await neighbour).stdout)).toBe("alive\n");
  });

  test("a hundred children of 20 MB each: the daemon lives", async () => {
    const { bootId } = await attacker.info();
    const command =
      "for i in $(seq 1 100); do python3 -c 'x = bytearray(20 * 2**20); import time; time.sleep(2)' & done; wait";
    // They end by themselves, however long the kernel looks for memory before it takes it from somebody.
    await attacker.run(command, { timeoutMs: 60_000 });
    expect(await say(attacker)).toBe("fine\n");
    expect((await attacker.info()).bootId).toBe(bootId);
  });
});

async function say(sandbox: Sandbox): Promise<string> {
  return String((await sandbox.run("echo fine")).stdout);
}

/** Waits until what the last test left behind is gone. */
async function settled(sandbox: Sandbox): Promise<void> {
  await sandbox.run("pkill -9 sleep; true");
  await expect.poll(async () => (await sandbox.info()).processes, { timeout: 5000 }).toBe(0);
}
