// Connections of sandboxed code through the pipe: a real daemon on this machine, real sockets, and an echo at our end.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { closedPort } from "../../tests/support/egress.ts";
import { type LocalCoved, startLocalCoved } from "../../tests/support/local-coved.ts";
import { Sandbox } from "../sandbox.ts";
import { connectPipe, type Pipe } from "./pipe.ts";

const MB = 2 ** 20;
let coved: LocalCoved;
let port: number;
beforeEach(async () => {
  port = await closedPort();
  coved = await startLocalCoved(15, port);
});
afterEach(() => coved.stop());

const echo = (stream: Duplex) => void stream.on("error", () => undefined).pipe(stream);

test("bytes go both ways, unchanged", async () => {
  await open(echo);
  const data = Buffer.alloc(5 * MB, "0123456789abcdef");
  const client = dial();
  client.end(data);
  expect((await all(client)).equals(data)).toBe(true);
});

test("a side that has ended still hears the other", async () => {
  await open((stream) => {
    stream.end("first");
    stream.on("data", (chunk) => heard.push(chunk));
  });
  const heard: Buffer[] = [];
  const client = dial();
  await once(client, "data");
  await once(client, "end");
  client.end("second");
  await expect.poll(() => Buffer.concat(heard).toString()).toBe("second");
});

test("whoever breaks off takes the other side along", async () => {
  const streams: Duplex[] = [];
  await open((stream) => void streams.push(stream.on("error", () => undefined).resume()));
  const ours = dial();
  await expect.poll(() => streams.length).toBe(1);
  const reset = new Promise((resolve) => ours.once("error", resolve));
  streams[0]?.destroy();
  expect(await reset).toMatchObject({ code: "ECONNRESET" });
  const theirs = dial();
  await expect.poll(() => streams.length).toBe(2);
  theirs.resetAndDestroy();
  await once(streams[1] as Duplex, "close");
});

test("what nobody reads stops its own connection, and nothing else", async () => {
  const { sandbox } = await open(() => undefined);
  const stuck = dial();
  let taken = 0;
  const push = () => {
    while (taken < 64 * MB && stuck.write(Buffer.alloc(64 * 1024))) taken += 64 * 1024;
  };
  stuck.on("drain", push);
  push();
  await expect.poll(async () => stalled(() => stuck.bytesWritten - stuck.writableLength)).toBe(true);
  expect(String((await sandbox.run("echo fine")).stdout)).toBe("fine\n");
});

test("a client that doesn't read stops its own connection, and gets everything when it does", async () => {
  const sent = 8 * MB;
  await open((stream) => void stream.on("error", () => undefined).end(Buffer.alloc(sent)));
  const client = dial();
  client.pause();
  await sleep(300);
  expect((await all(client)).length).toBe(sent);
});

test("connections go on over a broken pipe, byte for byte", async () => {
  const { cut } = await open(echo);
  const data = Buffer.alloc(4 * MB, "fedcba9876543210");
  const breaking = setInterval(cut, 20);
  onTestFinished(() => clearInterval(breaking));
  const client = dial();
  client.end(data);
  const back = await all(client);
  clearInterval(breaking);
  expect(back.equals(data)).toBe(true);
});

test("without a server, or one that takes them, connections are closed at once", async () => {
  await ended(dial());
  const { pipe } = await open(undefined);
  await ended(dial());
  pipe.close();
  await expect.poll(() => ended(dial()).then(() => "closed")).toBe("closed");
});

test("a server that goes takes its connections along when the next one comes", async () => {
  const first = await open(() => undefined);
  const client = dial();
  await once(client, "connect");
  await sleep(50);
  first.pipe.close();
  await open(echo);
  await ended(client);
  const again = dial();
  again.end("hello");
  expect(String(await all(again))).toBe("hello");
});

test("no more than 256 are open at once; the others wait until some have closed", async () => {
  const streams = new Set<Duplex>();
  let most = 0;
  await open((stream) => {
    streams.add(stream.on("error", () => undefined));
    most = Math.max(most, streams.size);
    stream.once("close", () => streams.delete(stream)).resume();
    setTimeout(() => stream.end("served"), 100);
  });
  const clients = Array.from({ length: 400 }, () => dial().end());
  const answers = await Promise.all(clients.map(all));
  expect(answers.filter((answer) => String(answer) === "served")).toHaveLength(400);
  expect(most).toBeLessThanOrEqual(256);
});

test("a flood of connections that come and go is slowed down, and commands don't notice", async () => {
  let opened = 0;
  const { sandbox } = await open((stream) => {
    opened++;
    stream.on("error", () => undefined).destroy();
  });
  const started = performance.now();
  const flood = async () => {
    while (opened < 1000) await ended(dial());
  };
  const flooding = Promise.all(Array.from({ length: 20 }, flood));
  for (let round = 0; round < 10; round++) await sandbox.run("true");
  await flooding;
  const seconds = (performance.now() - started) / 1000;
  expect(opened).toBeLessThan(400 + 256 + (seconds + 1) * 200);
});

async function open(onConnection: ((stream: Duplex) => void) | undefined) {
  let newest: Duplex | undefined;
  const dialPipe = async () => {
    newest = await coved.dial();
    return newest;
  };
  const pipe: Pipe = await connectPipe({
    dial: dialPipe,
    retryDelaysMs: Array(200).fill(5),
    ...(onConnection && { onConnection }),
  });
  onTestFinished(() => pipe.close());
  const sandbox = new Sandbox({ id: "local", use: (work) => work(pipe) });
  return { pipe, sandbox, cut: () => newest?.destroy() };
}

function dial(): Socket {
  return connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => undefined);
}

async function all(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Resolves when the other side has closed, whichever way. */
async function ended(socket: Socket): Promise<void> {
  socket.resume().once("end", () => socket.end());
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
}

async function stalled(progress: () => number): Promise<boolean> {
  const before = progress();
  await sleep(200);
  return before > 0 && progress() === before;
}
