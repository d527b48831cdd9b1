// Commands in a real container.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutputChunk, Sandbox } from "#sandbox/index.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let fixture: TestSandboxes;
let sandbox: Sandbox;
beforeAll(async () => {
  fixture = await testSandboxes();
  sandbox = await fixture.sandboxes.open("runner");
});
afterAll(() => fixture.cleanUp());

test("stdout, stderr and the exit code come back apart", async () => {
  const result = await sandbox.run("echo out; echo err >&2; exit 7");
  expect(result).toMatchObject({ status: "failed", exitCode: 7, signal: null, truncated: false, strays: [] });
  expect(`${result.stdout}|${result.stderr}`).toBe("out\n|err\n");
});

test("a command runs as coderunner in the workspace, with a home and no terminal", async () => {
  const { stdout } = await sandbox.run('whoami; pwd; echo "$HOME"; tty; id -u');
  expect(stdout.toString()).toMatch(/^coderunner\n\/workspace\n\/workspace\nnot a tty\n2\d{4}\n$/);
});

test("each command is a fresh shell", async () => {
  await sandbox.run("cd /tmp; export SEEN=1; alias ll=ls");
  expect((await sandbox.run('pwd; echo "[$SEEN]"')).stdout.toString()).toBe("/workspace\n[]\n");
});

test("a command may begin with a dash, span lines and hold any bytes but NUL", async () => {
  expect((await sandbox.run("-x")).exitCode).toBe(127);
  expect((await sandbox.run("cat <<'END'\none\ntwo \u{1F30A}\nEND")).stdout.toString()).toBe(
    "one\ntwo \u{1F30A}\n",
  );
  expect((await sandbox.run("printf %s 'a\udcffb'")).stdout).toEqual(Buffer.from([0x61, 0xff, 0x62]));
  await expect(sandbox.run("echo a\0b")).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(sandbox.run("x".repeat(140_000))).rejects.toMatchObject({ code: "invalid_argument" });
});

test("a syntax error and an unknown command read as bash says them", async () => {
  expect((await sandbox.run("if")).stderr.toString()).toMatch(/syntax error/);
  expect((await sandbox.run("no-such-command")).stderr.toString()).toBe(
    "/bin/bash: line 1: no-such-command: command not found\n",
  );
});

test("working directory and environment are as asked", async () => {
  await sandbox.files.makeDirectory("some/where");
  const { stdout } = await sandbox.run('pwd; echo "$A|$HOME|$LC_CTYPE"', {
    cwd: "some/where",
    env: { A: "x y", HOME: null },
  });
  expect(stdout.toString()).toMatch(/^\/workspace\/some\/where\nx y\|\|C.UTF-8\n$/);
  await expect(sandbox.run("true", { cwd: "nowhere" })).rejects.toMatchObject({ code: "not_found" });
});

test("input is fed and ended; without any there is none", async () => {
  expect((await sandbox.run("cat", { stdin: "some input" })).stdout.toString()).toBe("some input");
  expect((await sandbox.run("cat; echo $?")).stdout.toString()).toBe("0\n");
  const large = Buffer.alloc(3_000_000, "abc\n");
  expect((await sandbox.run("wc -c", { stdin: large })).stdout.toString().trim()).toBe("3000000");
});

test("input nobody reads holds nothing up", async () => {
  const result = await sandbox.run("exec <&-; echo done", { stdin: Buffer.alloc(3_000_000) });
  expect(result.stdout.toString()).toBe("done\n");
});

test("input arrives as it is produced", async () => {
  const heard: string[] = [];
  let hear: (line: string) => void = () => undefined;
  async function* ask() {
    for (const word of ["one", "two"]) {
      const answer = new Promise<string>((resolve) => {
        hear = resolve;
      });
      yield Buffer.from(`${word}\n`);
      heard.push(await answer);
    }
  }
  await sandbox.run("while read -r line; do echo got $line; done", {
    stdin: ask(),
    onOutput: ({ data }) => hear(data.toString()),
  });
  expect(heard).toEqual(["got one\n", "got two\n"]);
});

test("input without end ends with the command, and input that fails ends the command", async () => {
  async function* endless() {
    for (;;) {
      yield Buffer.from("line\n");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  expect((await sandbox.run("head -n 2", { stdin: endless() })).stdout.toString()).toBe("line\nline\n");
  async function* failing() {
    yield Buffer.from("line\n");
    throw new Error("no more input");
  }
  await expect(sandbox.run("cat; sleep 30", { stdin: failing() })).rejects.toThrow("no more input");
});

test("output comes live and in order", async () => {
  const chunks: (OutputChunk & { at: number })[] = [];
  const began = performance.now();
  await sandbox.run("echo first; sleep 0.3; echo second >&2", {
    onOutput: (chunk) => void chunks.push({ ...chunk, at: performance.now() - began }),
  });
  expect(chunks.map(({ stream, data }) => `${stream}:${data}`)).toEqual([
    "stdout:first\n",
    "stderr:second\n",
  ]);
  expect(chunks[0]?.at).toBeLessThan(250);
});

test("a listener that throws makes the call fail with its error, and the next call works", async () => {
  const failing = sandbox.run("echo x", {
    onOutput: () => {
      throw new Error("listener");
    },
  });
  await expect(failing).rejects.toThrow("listener");
  expect((await sandbox.run("echo y")).stdout.toString()).toBe("y\n");
});

test("a deadline ends the command and what it wrote is kept", async () => {
  const result = await sandbox.run("echo before; sleep 30", { timeoutMs: 300 });
  expect(result).toMatchObject({ status: "timeout", exitCode: null, signal: "SIGKILL" });
  expect(result.stdout.toString()).toBe("before\n");
  expect(result.durationMs).toBeLessThan(1300);
});

test("with a grace period the command may clean up first", async () => {
  const command = "trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.05; done";
  const result = await sandbox.run(command, { timeoutMs: 200, graceMs: 2000 });
  expect(result).toMatchObject({ status: "timeout", exitCode: 0 });
  expect(result.stdout.toString()).toBe("cleaned\n");
});

test("a signal cancels, before the start and after it", async () => {
  const abort = new AbortController();
  const running = sandbox.run("echo begun; sleep 30", {
    signal: abort.signal,
    onOutput: () => abort.abort(),
  });
  await expect(running).resolves.toMatchObject({ status: "cancelled" });
  await expect(sandbox.run("touch never", { signal: abort.signal })).resolves.toMatchObject({
    status: "cancelled",
  });
  await expect(sandbox.files.stat("never")).rejects.toMatchObject({ code: "not_found" });
});

test("a call that can't wait gets what there is, and attach gets the rest", async () => {
  const first = await sandbox.run("echo one; sleep 0.6; echo two", { waitMs: 200, executionId: "slow" });
  expect(first).toMatchObject({ status: "running", executionId: "slow", exitCode: null });
  expect(first.stdout.toString()).toBe("one\n");
  expect((await sandbox.attach("slow", { waitMs: 10 })).status).toBe("running");
  const rest = await sandbox.attach("slow");
  expect(rest).toMatchObject({ status: "completed", exitCode: 0 });
  expect(rest.stdout.toString()).toBe("one\ntwo\n");
});

test("a background execution returns at once, can be followed by several, and stopped", async () => {
  const { executionId, status } = await sandbox.run("echo up; sleep 30", { background: true });
  expect(status).toBe("running");
  const followers = [1, 2].map(() =>
    sandbox.attach(executionId, { keep: true, onOutput: () => sandbox.stop(executionId) }),
  );
  for (const result of await Promise.all(followers)) {
    expect(result.status).toBe("cancelled");
    expect(result.stdout.toString()).toBe("up\n");
  }
  await sandbox.collect(executionId);
  await expect(sandbox.attach(executionId)).rejects.toMatchObject({ code: "execution_not_found" });
});

test("what goes on without anybody waiting has a limit of its own, and calls that are waited for go on", async () => {
  const few = await testSandboxes({ execution: { backgroundExecutions: 2 }, concurrency: { perUser: 1 } });
  try {
    const bob = await few.sandboxes.open("bob");
    const { executionId } = await bob.run("sleep 60", { background: true });
    // Somebody waited for this one, for a while.
    expect((await bob.run("sleep 60", { waitMs: 50 })).status).toBe("running");
    await expect(bob.run("sleep 60", { background: true })).rejects.toMatchObject({
      code: "too_many_executions",
      message: "2 executions run in the background: stop or await one first.",
    });
    await expect(bob.python("1", { background: true })).rejects.toMatchObject({
      code: "too_many_executions",
    });
    // Neither of them takes the one place that calls have.
    expect(await few.sh("bob", "echo free")).toBe("free");
    await bob.stop(executionId);
    await bob.attach(executionId);
    expect((await bob.run("sleep 60", { background: true })).status).toBe("running");
  } finally {
    await few.cleanUp();
  }
});

test("a background command that can't be started says so", async () => {
  const starting = sandbox.run("true", { background: true, cwd: "nowhere" });
  await expect(starting).rejects.toMatchObject({ code: "not_found" });
});

test("a kept result is there until it is collected", async () => {
  await sandbox.run("echo kept", { executionId: "kept", keep: true });
  await sandbox.run("echo gone", { executionId: "gone" });
  await expect.poll(async () => ids(await sandbox.info())).not.toContain("gone");
  expect(ids(await sandbox.info())).toContain("kept");
  expect((await sandbox.attach("kept")).stdout.toString()).toBe("kept\n");
});

test("an execution id is used once", async () => {
  await sandbox.run("true", { executionId: "twice", keep: true });
  await expect(sandbox.run("true", { executionId: "twice" })).rejects.toMatchObject({
    code: "invalid_argument",
  });
});

test("what a command leaves running is listed and lives on", async () => {
  const result = await sandbox.run("sleep 31 & (setsid sleep 32 &) ; sleep 0.1");
  expect(result).toMatchObject({ status: "completed" });
  expect(result.strays.map(({ name }) => name)).toEqual(["sleep", "sleep"]);
  const info = await sandbox.info();
  expect(info).toMatchObject({ processes: 2, idle: false });
  await sandbox.run("pkill sleep");
  await expect.poll(async () => (await sandbox.info()).idle).toBe(true);
});

test("a background server that goes on writing is neither blocked nor killed by it", async () => {
  await sandbox.run(
    "(while :; do echo noise; sleep 0.02; done; echo ended > /workspace/ended) & echo $! > pid",
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await sandbox.run("kill -0 $(cat pid) && echo alive")).stdout.toString()).toBe("alive\n");
  await sandbox.run("kill -9 $(cat pid)");
});

test("many commands at once don't mix their output", async () => {
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      sandbox.run(`echo ${index}; sleep 0.0${index % 5}; echo ${index} >&2`),
    ),
  );
  results.forEach((result, index) => {
    expect(`${result.stdout}${result.stderr}`).toBe(`${index}\n${index}\n`);
  });
});

test("info tells limits, usage and that it is idle", async () => {
  await expect.poll(async () => (await sandbox.info()).idle).toBe(true);
  const info = await sandbox.info();
  expect(info).toMatchObject({ processes: 0, memoryLimitBytes: 256 * 2 ** 20 });
  expect(info.memoryBytes).toBeGreaterThan(1_000_000);
  expect(info.memoryBytes).toBeLessThan(64_000_000);
  expect(info.disk?.totalBytes).toBeLessThan(64 * 2 ** 20);
  expect(info.pids).toBeGreaterThan(1);
  expect(info.cpuMs).toBeGreaterThan(0);
});

function ids(info: { executions: { executionId: string }[] }): string[] {
  return info.executions.map(({ executionId }) => executionId);
}
