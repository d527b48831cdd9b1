// The daemon against whoever speaks to its socket: random, truncated, oversized and malicious frames never end, hang or grow it.
import { readFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalCoved, startLocalCoved } from "../../tests/support/local-coved.ts";
import { Sandbox } from "../sandbox.ts";
import { encodeFrame, encodeMessage, FrameType, MAX_PAYLOAD } from "./frames.ts";
import { connectPipe } from "./pipe.ts";

let coved: LocalCoved;
beforeAll(async () => {
  coved = await startLocalCoved();
});
afterAll(() => coved.stop());

const hello = encodeMessage(FrameType.hello, 0, 0, { version: 1, session: "f".repeat(32), received: 0 });
// No command but this one: it runs on this very machine.
const operations = [
  "python",
  "prewarm",
  "reset",
  "run",
  "attach",
  "kill",
  "collect",
  "info",
  "kill_all",
  "stat",
  "list",
  "read",
  "write",
  "mkdir",
  "move",
  "remove",
  "usage",
  "nonsense",
  "__class__",
];
const path = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    "/workspace",
    "/",
    "..",
    "/workspace/../../etc/passwd",
    "a/b",
    "\u0000",
    "\udc80",
    "\ud800",
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const anything = fc.jsonValue({ maxDepth: 2 });
const request = fc
  .record(
    {
      op: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...operations) },
        { weight: 1, arbitrary: anything },
      ),
      id: fc.oneof(fc.constantFrom("a", "b", "c"), anything),
      command: fc.constant("true"),
      code: fc.oneof(fc.constant("1"), anything),
      session: fc.oneof(fc.constantFrom("a", "../b", ""), anything),
      results: anything,
      keep_ms: anything,
      cwd: path,
      env: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant(null))), anything),
      path,
      from: path,
      to: path,
      after: path,
      ids: anything,
      limit: anything,
      offset: anything,
      length: anything,
      head: anything,
      tail: anything,
      timeout_ms: fc.oneof(fc.constantFrom(1, 50), anything),
      grace_ms: anything,
      stdin: fc.oneof(fc.boolean(), anything),
      append: fc.boolean(),
      recursive: fc.boolean(),
      mode: anything,
    },
    { requiredKeys: ["op", "command"] },
  )
  .map((body) => Buffer.from(JSON.stringify(body)));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant(FrameType.open), fc.constant(0), request) },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 4 }),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
  },
);

test("random requests and frames after a proper greeting", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), fc.nat(60), async (steps, cutOff) => {
      let opened = 0;
      const frames = steps.map(([type, channel, payload]) => {
        if (type === FrameType.open) opened += 1;
        return encodeFrame(type, channel, Math.max(0, 2 * opened - 1), payload);
      });
      const bytes = Buffer.concat([hello, ...frames]);
      await throwAt(coved, bytes.subarray(0, bytes.length - (cutOff % bytes.length)));
    }),
    { numRuns: 150 },
  );
  await expectHealthy();
});

test("random bytes instead of a greeting", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), (bytes) => throwAt(coved, Buffer.from(bytes))),
    { numRuns: 100 },
  );
  await expectHealthy();
});

test("frames that claim too much, and JSON that is too deep", async () => {
  const huge = encodeFrame(FrameType.data, 0, 1);
  huge.writeUInt32BE(0xffff_ffff);
  const deep = Buffer.from(`{"op":${"[".repeat(100_000)}`);
  const wide = Buffer.alloc(MAX_PAYLOAD, "1");
  for (const frame of [
    huge,
    encodeFrame(FrameType.open, 0, 1, deep),
    encodeFrame(FrameType.open, 0, 1, wide),
  ])
    await throwAt(coved, Buffer.concat([hello, frame]));
  await expectHealthy();
});

test("data without end that nobody asked for", async () => {
  const before = residentKilobytes();
  const stream = await coved.dial();
  stream.on("error", () => undefined);
  stream.resume();
  stream.write(hello);
  stream.write(
    encodeMessage(FrameType.open, 0, 1, { op: "run", id: "flood", command: "sleep 30", stdin: true }),
  );
  for (let sent = 0; sent < 200 && !stream.destroyed; sent++) {
    stream.write(encodeFrame(FrameType.data, 0, 1, Buffer.alloc(60_000)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed(stream);
  expect(residentKilobytes() - before).toBeLessThan(8_000);
  await expectHealthy();
});

test("hundreds of connections that say nothing", async () => {
  const streams = await Promise.all(Array.from({ length: 200 }, () => coved.dial().catch(() => undefined)));
  for (const stream of streams) stream?.on("error", () => undefined);
  await expectHealthy();
  for (const stream of streams) stream?.destroy();
});

/** Sends bytes, gives the daemon time to answer, and hangs up. */
async function throwAt(daemon: LocalCoved, bytes: Buffer): Promise<void> {
  const stream = await daemon.dial();
  stream.on("error", () => undefined);
  stream.resume();
  await new Promise((resolve) => stream.write(bytes, resolve));
  await new Promise((resolve) => setTimeout(resolve, 2));
  stream.destroy();
}

/** A proper server finds a daemon that works and is no larger than it should be. */
async function expectHealthy(): Promise<void> {
  const pipe = await connectPipe({ dial: coved.dial, retryDelaysMs: Array(50).fill(20) });
  const sandbox = new Sandbox({ id: "local", use: (work) => work(pipe) });
  expect((await sandbox.run("echo healthy")).stdout.toString()).toBe("healthy\n");
  pipe.close();
  expect(residentKilobytes()).toBeLessThan(40_000);
}

function residentKilobytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${coved.pid}/status`, "utf8"))?.[1]);
}

function closed(stream: Duplex): Promise<void> {
  return new Promise((resolve) => (stream.destroyed ? resolve() : stream.once("close", resolve)));
}
