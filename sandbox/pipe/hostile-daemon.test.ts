// Our end of the pipe against a daemon that lies: whatever comes out of it, calls end, names are right, memory is bounded.
import { Duplex } from "node:stream";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { heldObjectBytes } from "../../tests/support/memory.ts";
import { PipeError, SandboxError } from "../errors.ts";
import { Sandbox } from "../sandbox.ts";
import { encodeFrame, encodeMessage, FrameDecoder, FrameType, MAX_PAYLOAD } from "./frames.ts";
import { connectPipe } from "./pipe.ts";

const type = fc.integer({ min: 0, max: 13 });
const anyFrame = fc
  .tuple(
    type,
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom(0, 1, 2, 3, 5, 7, 99),
    fc.uint8Array({ maxLength: 64 }),
  )
  .map(([kind, channel, stream, payload]) => encodeFrame(kind, channel, stream, payload));
const anyMessage = fc
  .tuple(fc.constantFrom(0, 1), fc.constantFrom(1, 3, 5, 7), fc.jsonValue({ maxDepth: 3 }))
  .map(([channel, stream, value]) =>
    encodeFrame(FrameType.reply, channel, stream, Buffer.from(JSON.stringify(value) ?? "")),
  );
const almostRight = fc
  .record(
    {
      status: fc.oneof(fc.constantFrom("completed", "running", "nonsense"), fc.jsonValue()),
      exit_code: fc.oneof(fc.constantFrom(0, -1, null), fc.jsonValue()),
      signal: fc.oneof(fc.constantFrom(null, 9, 1e300), fc.jsonValue()),
      duration_ms: fc.oneof(fc.constant(1), fc.jsonValue()),
      totals: fc.oneof(fc.constantFrom([0, 0], [1e15, 0], [-1]), fc.jsonValue()),
      strays: fc.oneof(fc.constantFrom([], [{ pid: 1, name: "x" }], Array(99).fill({})), fc.jsonValue()),
      changes: fc.oneof(
        fc.constantFrom(
          [],
          [{ path: "/workspace/a", size: 1, modified_ms: 1 }],
          [{ path: "/etc/passwd" }],
          Array(999).fill({}),
        ),
        fc.jsonValue(),
      ),
      changes_truncated: fc.oneof(fc.boolean(), fc.jsonValue()),
      gap: fc.oneof(fc.constantFrom({ channel: 1, bytes: 5 }, { channel: 9, bytes: -1 }), fc.jsonValue()),
      error: fc.oneof(fc.constantFrom({ code: "not_found", message: "x" }, { code: "made_up", message: "" })),
      session: fc.oneof(fc.constant("default"), fc.jsonValue()),
      restarted: fc.oneof(fc.boolean(), fc.jsonValue()),
      exception: fc.oneof(fc.constantFrom(null, { type: "E", message: "m", module: "cv2" }), fc.jsonValue()),
      stat: fc.jsonValue(),
      entries: fc.jsonValue(),
      bytes: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .chain((body) =>
    fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(1, 3, 5, 7)).map((where) => ({ body, where })),
  )
  .map(({ body, where: [channel, stream] }) => encodeMessage(FrameType.reply, channel, stream, body));
const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));

test("random, malformed and almost right answers end every call with a result or a named error", async () => {
  const answers = fc.array(fc.oneof(anyFrame, anyMessage, almostRight, noise), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(answers, async (frames) => {
      const { sandbox, daemon, pipe } = await open();
      const calls = Promise.allSettled([
        sandbox.run("x"),
        sandbox.python("x"),
        sandbox.files.read("x"),
        sandbox.files.write("x", "data"),
        sandbox.files.list("x"),
        sandbox.info(),
      ]);
      await nextTick();
      for (const frame of frames) daemon.say(frame);
      await nextTick();
      pipe.close();
      for (const outcome of await calls) {
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(SandboxError);
      }
    }),
    { numRuns: 400 },
  );
});

const floods: Record<string, Buffer> = {
  "data for a read": encodeFrame(FrameType.data, 1, 1, Buffer.alloc(64 * 1024)),
  "data for nobody": encodeFrame(FrameType.data, 1, 3, Buffer.alloc(64 * 1024)),
  replies: encodeMessage(FrameType.reply, 0, 1, { stat: { size: 1, modified_ms: 1 } }),
  pongs: encodeFrame(FrameType.pong, 0, 0, Buffer.alloc(8)),
  acknowledgements: encodeFrame(FrameType.ack, 0, 0, Buffer.alloc(8)),
  greetings: encodeMessage(FrameType.hello, 0, 0, { version: 1, boot: "b", resumed: false, received: 0 }),
  "calls of its own": encodeMessage(FrameType.open, 0, 2, { op: "run" }),
};

for (const [what, frame] of Object.entries(floods)) {
  test(`a flood of ${what} takes the pipe down instead of growing the server`, async () => {
    const { sandbox, daemon, pipe } = await open();
    const reading = sandbox.files
      .openRead("x")
      .then(({ stream }) => new Promise((resolve) => stream.on("error", resolve)));
    reading.catch(() => undefined);
    await nextTick();
    for (let sent = 0; sent < 2000 && pipe.state !== "down"; sent++) {
      daemon.say(frame);
      if (sent % 50 === 0) await nextTick();
    }
    expect(pipe.state).toBe("down");
    await expect(sandbox.files.stat("x")).rejects.toMatchObject({ code: "protocol_violation" });
  });
}

const MB = 2 ** 20;
const never = () => new Promise<void>(() => undefined);
const piecemeal: [
  what: string,
  prepare: (opened: Opened) => Promise<unknown>,
  channels: number[],
  bytes: number,
][] = [
  ["output that nobody listens to", ({ sandbox }) => sandbox.run("x"), [1], 500_000],
  [
    "output of a listener that hangs",
    ({ sandbox }) => sandbox.run("x", { onOutput: never }),
    [1, 2],
    900_000,
  ],
  ["a cell's results", ({ sandbox }) => sandbox.python("x"), [3], 500_000],
  ["a file that nobody reads", ({ sandbox }) => sandbox.files.openRead("x"), [1], 500_000],
];

for (const [what, prepare, channels, bytes] of piecemeal) {
  test(`${what} costs what it weighs, even if it comes byte by byte`, async () => {
    const opened = await open();
    const before = heldObjectBytes();
    prepare(opened).catch(() => "the pipe is closed in the end");
    await nextTick();
    await sendPiecemeal(opened.daemon, [1], channels, bytes);
    expect(heldObjectBytes() - before).toBeLessThan(8 * MB);
    expect(opened.pipe.state).toBe("connected");
  });
}

test("connections that nobody reads cost what they hold, even if it comes byte by byte", async () => {
  const carried: Duplex[] = [];
  const { daemon, pipe } = await open({}, {}, (stream) => carried.push(stream));
  const before = heldObjectBytes();
  const streams = Array.from({ length: 16 }, (_, index) => 2 * index + 2);
  for (const stream of streams) daemon.say(encodeMessage(FrameType.open, 0, stream, {}));
  await sendPiecemeal(daemon, streams, [1], 16 * 60_000);
  expect(heldObjectBytes() - before).toBeLessThan(8 * MB);
  expect(pipe.state).toBe("connected");
  expect(carried).toHaveLength(16);
  carried[0]?.resume();
  await nextTick();
  expect(carried[0]?.readableLength).toBe(0);
});

test("a frame that comes byte by byte costs no more than its size", async () => {
  const { daemon, sandbox, pipe } = await open();
  const reading = sandbox.files.stat("x");
  await nextTick();
  const before = heldObjectBytes();
  const frame = encodeFrame(FrameType.reply, 1, 1, Buffer.alloc(200_000, " "));
  for (let at = 0; at < frame.length - 1; at++) {
    daemon.say(Buffer.from([frame[at] as number]));
    if (at % 10_000 === 0) await nextTick();
  }
  await nextTick();
  expect(heldObjectBytes() - before).toBeLessThan(4 * MB);
  pipe.close();
  await expect(reading).rejects.toThrow(SandboxError);
});

test("a frame that never ends is refused at its header", async () => {
  const { daemon, pipe } = await open();
  const header = encodeFrame(FrameType.data, 1, 1);
  header.writeUInt32BE(MAX_PAYLOAD + 1);
  daemon.say(header);
  await nextTick();
  expect(pipe.state).toBe("down");
});

test("more output than was asked for ends the run as interrupted and the pipe with it", async () => {
  const { sandbox, daemon, pipe } = await open({ outputHead: 1000, outputTail: 1000 });
  const running = sandbox.run("x");
  await nextTick();
  daemon.say(encodeFrame(FrameType.data, 1, 1, Buffer.alloc(2001)));
  await expect(running).resolves.toMatchObject({ status: "interrupted" });
  expect(pipe.state).toBe("down");
});

test("a daemon that resumes a session it can't have is not believed", async () => {
  const error = await open({}, { resumed: true, received: 7 }).catch((error) => error);
  expect(error).toBeInstanceOf(PipeError);
  expect(error.code).toBe("protocol_violation");
});

test("a daemon of another version is named as such", async () => {
  await expect(open({}, { version: 2 })).rejects.toMatchObject({ code: "version_mismatch" });
});

type Opened = Awaited<ReturnType<typeof open>>;

async function open(limits = {}, greeting: object = {}, onConnection?: (stream: Duplex) => void) {
  const daemon = new FakeDaemon(greeting);
  const dial = async () => daemon;
  const pipe = await connectPipe({ dial, retryDelaysMs: [0], ...(onConnection && { onConnection }) });
  onTestFinished(() => pipe.close());
  return { daemon, pipe, sandbox: new Sandbox({ id: "fake", use: (work) => work(pipe), limits }) };
}

/** So many bytes in all, each in a frame of its own. */
async function sendPiecemeal(daemon: FakeDaemon, streams: number[], channels: number[], bytes: number) {
  const round = streams.flatMap((stream) =>
    channels.map((channel) => encodeFrame(FrameType.data, channel, stream, Buffer.from("x"))),
  );
  const rounds = Buffer.concat(Array(500).fill(Buffer.concat(round)));
  for (let sent = 0; sent < bytes; sent += 500 * round.length) {
    daemon.say(rounds);
    await nextTick();
  }
}

/** Greets properly and then says whatever the test wants. */
class FakeDaemon extends Duplex {
  #decoder = new FrameDecoder();
  #greeting: object;

  constructor(greeting: object) {
    super();
    this.#greeting = { version: 1, boot: "fake", resumed: false, received: 0, ...greeting };
  }

  say(frame: Buffer): void {
    if (!this.destroyed) this.push(frame);
  }

  override _read(): void {
    // What there is to read was pushed.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#decoder.push(chunk, (frame) => {
      if (frame.type === FrameType.hello) this.say(encodeMessage(FrameType.hello, 0, 0, this.#greeting));
    });
    done();
  }
}

async function nextTick(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
