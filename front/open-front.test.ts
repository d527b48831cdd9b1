import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { defaultLimits, type Limits } from "./limits.ts";
import { trustedProxies } from "./name-client.ts";
import { openFront } from "./open-front.ts";

const opened: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of opened.splice(0)) server.close().closeAllConnections();
});

describe("heads", () => {
  test("one that never ends is given up", async () => {
    const { dial } = await front({ headMs: 300 });
    const slow = dial();
    slow.write("GET / HTTP/1.1\r\nHost: x\r\n");
    const drip = setInterval(() => slow.write("X-More: 1\r\n"), 50);
    expect(await allOf(slow)).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(drip);
  });

  test("a connection that says nothing at all is closed, and nothing is logged about it", async () => {
    const { dial, lines } = await front({ headMs: 300 });
    await allOf(dial());
    await sleep(150);
    expect(lines).toEqual([]);
  });

  test.each([
    ["TRACE / HTTP/1.1", 405],
    ["PROPFIND / HTTP/1.1", 405],
    ["CONNECT a.example:443 HTTP/1.1", 501],
    ["BREW / HTTP/1.1", 501],
    ["GET /\u0001 HTTP/1.1", 400],
  ])("%s is answered %i in JSON", async (line, status) => {
    const { dial } = await front();
    const socket = dial();
    socket.write(`${line}\r\nHost: x\r\n\r\n`);
    const answer = await allOf(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/"error":\{"code":"\w+","message":".+\."\}/);
  });
});

describe("bodies", () => {
  const quick = { bodyWindowMs: 400, bodyBytes: 4000, lookMs: 50 };

  test("one that stops coming is given up, and its reader learns", async () => {
    const broken = Promise.withResolvers<unknown>();
    const { dial, lines } = await front(quick, async (request) => {
      await request.toArray().catch(broken.resolve);
    });
    const socket = dial();
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf");
    expect(await allOf(socket)).toMatch(/^HTTP\/1.1 408 .*"code":"timeout"/s);
    expect(await broken.promise).toMatchObject({ code: "ECONNRESET" });
    await waitFor(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ bodies: 1 });
  });

  test("one that drips in below the least rate is given up, answered or not", async () => {
    for (const answered of [true, false]) {
      const { dial } = await front(quick, async (_request, response) => {
        if (answered) response.writeHead(401).end("no");
      });
      const socket = dial();
      socket.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      const drip = setInterval(() => socket.write("1\r\nx\r\n"), 50);
      await allOf(socket);
      clearInterval(drip);
    }
  });

  test("one that goes on after it has been answered is given up in the end", async () => {
    const { dial } = await front({ ...quick, lingerMs: 500 }, async (_request, response) => {
      response.writeHead(401).end("no");
    });
    const socket = dial();
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");
    const flood = setInterval(() => socket.write("x".repeat(2000)), 50);
    await allOf(socket);
    clearInterval(flood);
  });

  test("one that comes slowly but steadily arrives, however long it takes", async () => {
    const { dial } = await front({ ...quick, bodyWindowMs: 1500 }, async (request, response) => {
      const size = (await request.toArray()).reduce((sum, chunk) => sum + chunk.length, 0);
      response.end(`got ${size}`);
    });
    const socket = dial();
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n");
    // For two windows, and several times the least rate, so that a busy machine doesn't fall below it.
    for (let sent = 0; sent < 60_000; sent += 1500) {
      socket.write("x".repeat(1500));
      await sleep(80);
    }
    expect(await allOf(socket)).toContain("got 60000");
  });

  test("the time that we let it wait is not counted", async () => {
    const { dial } = await front({ ...quick, bodyWindowMs: 1000 }, async (request, response) => {
      await sleep(2500);
      const size = (await request.toArray()).reduce((sum, chunk) => sum + chunk.length, 0);
      response.end(`got ${size}`);
    });
    const socket = dial();
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5000000\r\n\r\n");
    socket.write("x".repeat(5_000_000));
    expect(await allOf(socket)).toContain("got 5000000");
  });
});

describe("answers", () => {
  test("one that is silent for longer than anything else may be goes on", async () => {
    const { url } = await front({ headMs: 100, idleMs: 100, stalledMs: 200 }, async (_request, response) => {
      response.write("begun, ");
      await sleep(900);
      response.end("done");
    });
    expect(await (await fetch(url)).text()).toBe("begun, done");
  });

  test("one that its client doesn't take is given up, and the one who takes it slowly gets all of it", async () => {
    const size = 30_000_000;
    const { dial, lines } = await front({ stalledMs: 1500 }, async (_request, response) => {
      response.end(Buffer.alloc(size));
    });
    const get = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const stalled = dial();
    stalled.pause();
    stalled.write(get);
    const slow = dial();
    slow.write(get);
    let taken = 0;
    for await (const chunk of slow) {
      taken += chunk.length;
      if (taken < 5_000_000) await sleep(20);
    }
    expect(taken).toBeGreaterThan(size);
    await waitFor(() => lines.length > 0);
    expect(lines[0]).toMatchObject({ stalled: 1 });
  });

  test("idle connections are closed", async () => {
    const { dial } = await front({ idleMs: 200 });
    const socket = dial();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await allOf(socket)).toContain("200 OK");
  });

  test("a client that leaves is noticed by whoever answers it", async () => {
    const left = Promise.withResolvers<void>();
    const { dial } = await front({}, async (_request, response) => {
      response.write("begun");
      response.once("close", left.resolve);
    });
    const socket = dial();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    socket.once("data", () => socket.destroy());
    await left.promise;
  });
});

describe("connections", () => {
  const few = { connections: 40, connectionsOfOne: 10 };
  const half = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf";

  test.each(["", "GET / HTTP/1.1\r\n", half])(
    "a thousand that send %j leave room for somebody, and make one line of the log",
    async (said) => {
      const { dial, server, lines, url } = await front({ ...few, collectMs: 1000 });
      for (let n = 0; n < 1000; n++) {
        const socket = dial();
        socket.on("connect", () => said && socket.write(said));
        if (n % 100 === 99) {
          const answer = await fetch(url, { headers: { connection: "close" } });
          expect(answer.status).toBe(200);
          expect(await connectionsOf(server)).toBeLessThanOrEqual(few.connectionsOfOne + 1);
        }
      }
      await waitFor(() => lines.length > 0);
      expect(lines).toHaveLength(1);
      expect(lines[0]?.displaced).toBeGreaterThan(10);
    },
  );

  test("one address can't take the room of another", async () => {
    const { dial, server } = await front({ ...few, connectionsOfOne: 20 }, async (_request, response) => {
      response.write("begun");
    });
    for (let n = 0; n < 30; n++) {
      const socket = dial("127.0.0.2");
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      // One that is refused may find the connection closed before it has read why.
      expect(await firstOf(socket)).toMatch(n < 20 ? /200 OK/ : /503 Service|^$/);
    }
    expect(await connectionsOf(server)).toBe(20);
    const other = dial("127.0.0.3");
    other.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await firstOf(other)).toContain("200 OK");
  });

  test("an upload under way is not cut off to make room", async () => {
    const limits = { ...few, bodyWindowMs: 60_000, bodyBytes: 1000, lookMs: 20 };
    const { dial } = await front(limits, async (request, response) => {
      response.end(`got ${(await request.toArray()).length > 0}`);
    });
    const upload = dial();
    upload.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n");
    for (let sent = 0; sent < 100_000; sent += 5000) {
      upload.write("x".repeat(5000));
      await sleep(30);
      // Not at the very first moment, when nobody can know yet.
      if (sent >= 20_000) for (let n = 0; n < 10; n++) dial().write(half);
    }
    expect(await allOf(upload)).toContain("got true");
  });

  test("a proxy that is trusted has no limit but the whole", async () => {
    const { dial } = await front(few, undefined, ["loopback"]);
    const crowd = Array.from({ length: 30 }, () => dial());
    for (const socket of crowd) socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const answers = await Promise.all(crowd.map(firstOf));
    expect(answers.every((answer) => answer.includes("200 OK"))).toBe(true);
  });

  test("an upgrade is a request like any other where nobody takes upgrades", async () => {
    const { dial } = await front();
    const socket = dial();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    expect(await firstOf(socket)).toContain("200 OK");
  });
});

test("the limits leave more than half of what the process may open to everything else", () => {
  expect(defaultLimits(20_000).connections).toBe(8192);
  expect(defaultLimits(1024).connections).toBe(256);
  expect(defaultLimits(1024).connectionsOfOne).toBe(32);
});

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function front(limits: Partial<Limits> = {}, handle?: Handle, proxies: string[] = []) {
  const lines: Record<string, number>[] = [];
  const server = openFront({
    handle: handle ?? (async (_request, response) => void response.end("hello")),
    limits: { ...defaultLimits(), headLookMs: 50, collectMs: 50, ...limits },
    isTrusted: trustedProxies(proxies),
    warn: (about) => lines.push(about as Record<string, number>),
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dial = (localAddress?: string) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.on("error", () => socket.destroy());
    sockets.push(socket);
    return socket;
  };
  return { server, lines, dial, url: `http://127.0.0.1:${port}/` };
}

/** Until the other side closes. */
async function allOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

function firstOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (chunk) => resolve(String(chunk)));
    socket.once("close", () => resolve(""));
  });
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}
