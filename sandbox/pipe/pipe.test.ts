// The pipe against a real daemon on this machine: breaks, takeovers, restarts, silence.
import type { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type LocalCoved, startLocalCoved } from "../../tests/support/local-coved.ts";
import { EngineError, type SandboxError } from "../errors.ts";
import { Sandbox } from "../sandbox.ts";
import { encodeFrame, encodeMessage, FrameType } from "./frames.ts";
import { connectPipe, type PipeOptions } from "./pipe.ts";

let coved: LocalCoved;
beforeAll(async () => {
  coved = await startLocalCoved();
});
afterAll(() => coved.stop());

test("a command goes on over a broken pipe and no output is lost or doubled", async () => {
  const { sandbox, cut } = await open();
  const running = sandbox.run("for i in $(seq 1 200); do echo line $i; sleep 0.005; done");
  for (let i = 0; i < 5; i++) {
    await pause(100);
    cut();
  }
  const { status, stdout } = await running;
  expect(status).toBe("completed");
  expect(stdout.toString()).toBe(lines(200));
});

test("file contents survive breaks in both directions", async () => {
  const { sandbox, cut } = await open();
  const data = Buffer.alloc(8 * 1024 * 1024, "0123456789abcdef");
  const breaking = setInterval(cut, 15);
  onTestFinished(() => clearInterval(breaking));
  await sandbox.files.write("big", data);
  const back = await sandbox.files.read("big");
  clearInterval(breaking);
  expect(back.equals(data)).toBe(true);
});

test("a request made while the pipe is down is answered when it is back", async () => {
  const { sandbox, cut } = await open();
  cut();
  expect((await sandbox.run("echo back")).stdout.toString()).toBe("back\n");
});

test("a server that was away too long attaches again from where it was", async () => {
  const first = await open();
  const running = first.sandbox.run("echo early; sleep 0.6; echo late");
  await pause(200);
  first.block();
  // Another session takes over and leaves, so the daemon has forgotten the first one.
  const other = await open();
  other.pipe.close();
  first.unblock();
  const result = await running;
  expect(result).toMatchObject({ status: "completed", exitCode: 0 });
  expect(result.stdout.toString()).toBe("early\nlate\n");
});

test("a daemon that was started anew ends what ran as interrupted and says so", async () => {
  const { sandbox, pipe } = await open();
  const before = pipe.bootId;
  const running = sandbox.run("echo before; sleep 60");
  await pause(200);
  await coved.restart();
  const result = await running;
  expect(result.status).toBe("interrupted");
  expect(result.stdout.toString()).toBe("before\n");
  expect(pipe.bootId).not.toBe(before);
  expect((await sandbox.run("echo again")).stdout.toString()).toBe("again\n");
});

test("a newer server takes over, and the older one hears it and lets go", async () => {
  const downs: SandboxError[] = [];
  const first = await open({ onDown: (error) => downs.push(error) });
  const running = first.sandbox.run("sleep 0.3; echo done", { executionId: "shared-execution" });
  await pause(100);
  const second = await open();
  await expect(running).resolves.toMatchObject({ status: "interrupted" });
  expect(downs.map(({ code }) => code)).toEqual(["replaced"]);
  await expect(first.sandbox.run("true")).rejects.toMatchObject({ code: "replaced" });
  const found = await second.sandbox.attach("shared-execution");
  expect(found.stdout.toString()).toBe("done\n");
});

test("a daemon that can't be reached is given up, once", async () => {
  const downs: SandboxError[] = [];
  const { sandbox, block, cut } = await open({
    onDown: (error) => downs.push(error),
    retryDelaysMs: [0, 10, 20, 30],
  });
  block();
  const running = sandbox.run("sleep 5");
  cut();
  await expect(running).resolves.toMatchObject({ status: "interrupted" });
  await expect(sandbox.files.stat("/workspace")).rejects.toMatchObject({ code: "disconnected" });
  expect(downs).toHaveLength(1);
});

test("silence is noticed", async () => {
  const { sandbox, freeze } = await open({ heartbeatMs: 150, patienceMs: 100 });
  freeze();
  expect((await sandbox.run("echo through")).stdout.toString()).toBe("through\n");
});

test("silence is expected while the sandbox is suspended", async () => {
  const { pipe, freeze } = await open({ heartbeatMs: 60, patienceMs: 30 });
  pipe.suspend();
  freeze();
  await pause(300);
  expect(pipe.state).toBe("connected");
});

test("a server that says nothing any more is hung up on", async () => {
  const impatient = await startLocalCoved(0.05);
  onTestFinished(() => impatient.stop());
  const stream = await impatient.dial();
  stream.write(encodeMessage(FrameType.hello, 0, 0, { version: 1, session: "s".repeat(32), received: 0 }));
  expect((await drain(stream)).toString()).toContain("silence");
});

test("closing fails the calls in flight with a name", async () => {
  const { pipe, sandbox } = await open();
  const running = sandbox.run("sleep 5");
  await pause(50);
  const reading = sandbox.files.openRead("/workspace/none-such");
  pipe.close();
  await expect(reading).rejects.toMatchObject({ code: "closed" });
  await expect(running).resolves.toMatchObject({ status: "interrupted" });
});

test("a uid-wide kill ends everything as cancelled, and the pipe goes on", async () => {
  const { pipe, sandbox } = await open();
  const running = [sandbox.run("sleep 30"), sandbox.run("setsid sleep 30 & sleep 30")];
  await pause(100);
  await pipe.killAll();
  for (const result of await Promise.all(running)) expect(result.status).toBe("cancelled");
  await expect.poll(async () => (await pipe.info()).idle).toBe(true);
});

test("an engine that is away is given up at once and by name; one that failed is asked again", async () => {
  let dialled = 0;
  const failing = (code: "engine_unavailable" | "engine_failed") => {
    dialled = 0;
    const dial = async () => {
      dialled++;
      throw new EngineError(code, "told by the test");
    };
    return connectPipe({ dial, retryDelaysMs: [0, 1, 1] });
  };
  await expect(failing("engine_unavailable")).rejects.toMatchObject({ code: "engine_unavailable" });
  expect(dialled).toBe(1);
  await expect(failing("engine_failed")).rejects.toMatchObject({ code: "engine_failed" });
  expect(dialled).toBe(3);
});

test("a pipe that has used up its numbers goes down by name, and the next one carries on", async () => {
  const { sandbox } = await open({ lastStream: 3 });
  await sandbox.run("echo kept > numbers");
  await sandbox.info();
  await expect(sandbox.run("true")).rejects.toMatchObject({ code: "session_lost" });
  const next = await open();
  expect(String((await next.sandbox.run("cat numbers")).stdout)).toBe("kept\n");
});

test("the disk is walked when asked, up to a cap", async () => {
  const { pipe, sandbox } = await open();
  await sandbox.run(
    "mkdir -p walk/deep; head -c 100000 /dev/zero > walk/deep/a; head -c 5000 /dev/zero > walk/b; ln -s / walk/root",
  );
  const usage = await pipe.diskUsage();
  expect(usage.complete).toBe(true);
  expect(usage.bytes).toBeGreaterThan(105_000);
  expect((await pipe.diskUsage(2)).complete).toBe(false);
});

test("results nobody collects are kept, but not without end", async () => {
  const { sandbox } = await open();
  for (let i = 0; i < 70; i++) await sandbox.run(`echo ${i}`, { executionId: `kept-${i}`, keep: true });
  const remembered = async () =>
    (await sandbox.info()).executions.filter(({ status }) => status !== "running").length;
  expect(await remembered()).toBe(64);
  await expect(sandbox.attach("kept-0")).rejects.toMatchObject({ code: "execution_not_found" });
  expect(String((await sandbox.attach("kept-69")).stdout)).toBe("69\n");
  for (let i = 0; i < 40; i++)
    await sandbox.run("head -c 400000 /dev/zero", { executionId: `big-${i}`, keep: true });
  expect(await remembered()).toBeLessThanOrEqual(21);
});

test("a server of another protocol version is told so", async () => {
  const stream = await coved.dial();
  stream.write(encodeMessage(FrameType.hello, 0, 0, { version: 99, session: "x".repeat(32), received: 0 }));
  expect((await drain(stream)).toString()).toContain("this daemon speaks version 1");
});

test("a connection that never greets leaves the others alone", async () => {
  const { sandbox } = await open();
  const silent = await coved.dial();
  const rude = await coved.dial();
  rude.write(encodeFrame(FrameType.ping, 0, 0, Buffer.alloc(8)));
  expect((await drain(rude)).toString()).toContain("reason");
  expect((await sandbox.run("echo fine")).stdout.toString()).toBe("fine\n");
  silent.destroy();
});

/** A sandbox on the local daemon whose connection can be cut, frozen or kept from coming back. */
async function open(options: Partial<PipeOptions> = {}) {
  let current: Duplex | undefined;
  let blocked = false;
  const dial = async () => {
    if (blocked) throw new Error("blocked by the test");
    current = await coved.dial();
    return current;
  };
  const pipe = await connectPipe({ dial, retryDelaysMs: Array(200).fill(20), ...options });
  onTestFinished(() => pipe.close());
  const sandbox = new Sandbox({ id: "local", use: (work) => work(pipe) });
  return {
    pipe,
    sandbox,
    cut: () => void current?.destroy(),
    freeze: () => void current?.pause(),
    block: () => {
      blocked = true;
      current?.destroy();
    },
    unblock: () => {
      blocked = false;
    },
  };
}

async function drain(stream: Duplex): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
