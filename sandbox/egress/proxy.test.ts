import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { Denial } from "./denials.ts";
import { type Egress, type EgressOptions, openEgress } from "./open-egress.ts";
import type { Address } from "./resolve.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const loopback: Address[] = [{ address: "127.0.0.1", family: 4 }];

test("a tunnel to a named host and port carries bytes both ways and half-closes", async () => {
  const port = await tcp((socket) => socket.pipe(socket));
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
  client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\nearly `);
  client.end("and late");
  expect(await text(client)).toBe("HTTP/1.1 200 Connection established\r\n\r\nearly and late");
});

test("a page is fetched, with the proxy's own headers taken off and the site's name put in", async () => {
  const port = await http((request, response) => {
    response.end(JSON.stringify({ url: request.url, method: request.method, headers: request.rawHeaders }));
  });
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
  client.write(
    `GET http://127.0.0.1:${port}/a?b=c HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: secret\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nUpgrade: h2c\r\nAccept: */*\r\n\r\n`,
  );
  const { head, body } = await answer(client);
  expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(head.match(/^connection: .*$/gim)).toEqual(["Connection: close"]);
  expect(JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1))).toEqual({
    url: "/a?b=c",
    method: "GET",
    headers: ["Host", `127.0.0.1:${port}`, "Accept", "*/*", "Connection", "close"],
  });
});

test("a body goes out whole, a pipelined second request doesn't", async () => {
  const port = await http(async (request, response) =>
    response.end(`${request.method} ${await text(request)}`),
  );
  for (const body of [
    "Content-Length: 5\r\n\r\nhello",
    "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  ]) {
    const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
    client.write(
      `POST http://127.0.0.1:${port}/ HTTP/1.1\r\n${body}GET http://127.0.0.1:${port}/ HTTP/1.1\r\n\r\n`,
    );
    const { head, body: got } = await answer(client);
    expect(head).toContain("200 OK");
    expect(got).toContain("POST hello");
    expect(got).not.toContain("HTTP/1.1");
  }
});

test("what Connection names can't take the length of the body away", async () => {
  const seen: string[] = [];
  const port = await tcp((socket) => {
    socket.on("data", (chunk) => {
      seen.push(chunk.toString());
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
  });
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
  client.write(
    `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nConnection: content-length, host\r\nContent-Length: 3\r\n\r\nabc`,
  );
  await answer(client);
  expect(seen.join("")).toBe(
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`,
  );
});

test("100 Continue reaches the client before the answer", async () => {
  const port = await http(async (request, response) => response.end(await text(request)));
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
  client.write(`PUT http://127.0.0.1:${port}/ HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`);
  const [first] = (await once(client, "data")) as [Buffer];
  expect(first.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  client.write("ok");
  expect((await answer(client)).body).toContain("ok");
});

test("a redirect to a private address is the client's to follow, and is refused then", async () => {
  const secret = await http((_request, response) => response.end("secret"));
  const port = await http((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${secret}/` }).end(),
  );
  const egress = start({ mode: "open", allow: [`127.0.0.1:${port}`] });
  const first = await ask(egress, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n\r\n`);
  const location = /^location: (.*)$/im.exec(first.head)?.[1]?.trim();
  const second = await ask(egress, `GET ${location} HTTP/1.1\r\n\r\n`);
  expect(second.head).toContain("403");
  expect(second.denied).toMatchObject([{ host: "127.0.0.1", port: secret, reason: "private_address" }]);
  expect(second.body).not.toContain("secret");
});

test("a name that changes its answer after the check gains nothing", async () => {
  const port = await tcp((socket) => socket.end("secret"));
  let asked = 0;
  const rebinding = async (): Promise<Address[]> =>
    asked++ === 0 ? [{ address: "1.1.1.1", family: 4 }] : loopback;
  const dialled: Address[][] = [];
  const egress = start({
    mode: "open",
    dnsLookup: rebinding,
    dial: async ({ addresses }) => {
      dialled.push(addresses);
      throw new Error("only loopback may be reached in a test");
    },
  });
  await ask(egress, `CONNECT rebind.example:${port} HTTP/1.1\r\n\r\n`);
  expect(asked).toBe(1);
  expect(dialled).toEqual([[{ address: "1.1.1.1", family: 4 }]]);
  const again = await ask(egress, `CONNECT rebind.example:${port} HTTP/1.1\r\n\r\n`);
  expect(again.denied).toMatchObject([{ host: "rebind.example", reason: "private_address" }]);
});

test("a name without a port in the allowlist may not be at a private address", async () => {
  const port = await tcp((socket) => socket.end());
  const egress = start({ mode: "packages", allow: ["local.example"], lookup: async () => loopback });
  const { head, denied } = await ask(egress, `CONNECT local.example:${port} HTTP/1.1\r\n\r\n`);
  expect(head).toContain("403 Cove egress: private_address");
  expect(denied).toHaveLength(1);
});

test("a registry may stand in at a private address, is read, and is not written to", async () => {
  const port = await http((request, response) => response.end(`package for ${request.method}`));
  const registries = [{ scheme: "http" as const, host: "mirror.example", port }];
  const egress = start({ mode: "packages", registries, lookup: async () => loopback });
  const read = await ask(egress, `GET http://mirror.example:${port}/p HTTP/1.1\r\n\r\n`);
  expect(read.body).toContain("package for GET");
  const written = await ask(
    egress,
    `PUT http://mirror.example:${port}/p HTTP/1.1\r\nContent-Length: 1\r\n\r\nx`,
  );
  expect(written.head).toContain("403");
  expect(written.denied).toMatchObject([{ host: "mirror.example", port, reason: "read_only" }]);
});

test("a denied name is never looked up", async () => {
  const lookup = () => Promise.reject(new Error("looked up"));
  const egress = start({ mode: "packages", lookup, dnsLookup: lookup });
  const { head, body, denied } = await ask(egress, "CONNECT secret-data.evil.example:443 HTTP/1.1\r\n\r\n");
  expect(head).toContain("X-Cove-Egress: host_not_allowed");
  expect(body).toContain("COVE_EGRESS_ALLOW");
  expect(denied).toMatchObject([{ host: "secret-data.evil.example", port: 443, reason: "host_not_allowed" }]);
  expect(egress.denials("user", 0)).toMatchObject([{ host: "secret-data.evil.example", count: 1 }]);
});

test.each([
  "GET http://169.254.169.254/latest/meta-data/ HTTP/1.1",
  "GET http://127.0.0.1/ HTTP/1.1",
  "GET http://[::1]/ HTTP/1.1",
  "GET http://[::ffff:127.0.0.1]/ HTTP/1.1",
  "GET http://[fe80::1%25eth0]/ HTTP/1.1",
  "GET http://0/ HTTP/1.1",
  "GET http://2130706433/ HTTP/1.1",
  "GET http://0x7f.1/ HTTP/1.1",
  "GET http://user:pw@127.0.0.1/ HTTP/1.1",
  "CONNECT 0.0.0.0:22 HTTP/1.1",
  "CONNECT 172.17.0.1:2375 HTTP/1.1",
  "CONNECT 10.0.0.1:443 HTTP/1.1",
  "CONNECT [fd00:ec2::254]:80 HTTP/1.1",
])("%s fails at once even where everything is open", async (line) => {
  const egress = start({ mode: "open", dial: () => Promise.reject(new Error("dialled")) });
  const begun = performance.now();
  const { head, denied } = await ask(egress, `${line}\r\n\r\n`);
  expect(performance.now() - begun).toBeLessThan(500);
  expect(head).toContain("403");
  expect(denied).toHaveLength(1);
});

test.each([
  ["an origin-form request", "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 400],
  ["an https address", "GET https://a.example/ HTTP/1.1\r\n\r\n", 400],
  ["two hosts", "GET http://a.example/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
  [
    "two lengths",
    "POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    400,
  ],
  ["HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["TLS to the proxy itself", "\x16\x03\x01\x02\x00\x01\r\n\r\n", 400],
  ["a head without end", "A".repeat(20_000), 431],
  ["a head of headers", `GET http://a.example/ HTTP/1.1\r\n${"A: b\r\n".repeat(4000)}\r\n`, 431],
  ["a tunnel without port", "CONNECT a.example HTTP/1.1\r\n\r\n", 400],
])("%s is answered with an error", async (_what, bytes, status) => {
  const { head } = await ask(start({ mode: "open" }), bytes);
  expect(head).toContain(`HTTP/1.1 ${status} `);
});

test("a head that comes too slowly is given up", async () => {
  const { client } = open({ mode: "open", limits: { headMs: 50 } });
  client.write("GET http://a");
  expect((await answer(client)).head).toContain("408");
});

test("TLS for another name than the allowed one goes nowhere", async () => {
  const got: Buffer[] = [];
  const port = await tcp((socket) => socket.on("data", (chunk) => got.push(chunk)));
  const registries = [{ scheme: "https" as const, host: "mirror.example", port }];
  const egress = start({ mode: "packages", registries, lookup: async () => loopback });
  const { denied } = await ask(
    egress,
    `CONNECT mirror.example:${port} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
  );
  expect(denied).toMatchObject([{ host: "mirror.example", port, reason: "name_mismatch" }]);
  expect(Buffer.concat(got)).toHaveLength(0);
});

test("a port where nobody listens, and a site that says nothing or nonsense, are failures and not denials", async () => {
  const silent = await tcp((socket) => socket.end());
  const nonsense = await tcp((socket) => socket.end("SSH-2.0-hello\r\n\r\n"));
  const upgraded = await tcp((socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n"));
  const gone = await closedPort();
  for (const port of [silent, nonsense, upgraded, gone]) {
    const egress = start({ mode: "off", allow: [`127.0.0.1:${port}`] });
    const { head, denied } = await ask(egress, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n\r\n`);
    expect(head).toContain("HTTP/1.1 502 ");
    expect(denied).toEqual([]);
  }
});

test("a connection without traffic is closed", async () => {
  const port = await tcp(() => undefined);
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`], limits: { idleMs: 50 } });
  client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  client.resume();
  await once(client, "close");
});

test("a client that breaks off takes the site's connection along", async () => {
  const [closed, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const port = await tcp((socket) => {
    accepted.resolve();
    socket.on("end", () => closed.resolve()).resume();
  });
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
  client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  await accepted.promise;
  client.destroy();
  await closed.promise;
});

test("bytes past the window's limit end the connection and the next one is refused", async () => {
  const port = await tcp((socket) => socket.end(Buffer.alloc(200_000)));
  const egress = start({ mode: "off", allow: [`127.0.0.1:${port}`], limits: { bytes: 100_000 } });
  const first = await ask(egress, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  expect(first.body.length).toBeLessThan(200_000);
  expect(first.denied).toMatchObject([{ port, reason: "byte_limit" }]);
  const second = await ask(egress, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  expect(second.head).toContain("429");
});

test("a slow reader gets every byte and costs the server no memory", async () => {
  const size = 64 * 2 ** 20;
  let sent = 0;
  const port = await tcp((socket) => {
    const chunk = Buffer.alloc(65_536, "x");
    const more = () => {
      while (sent < size) {
        sent += chunk.length;
        if (!socket.write(chunk)) return;
      }
      socket.end();
    };
    socket.on("drain", more);
    more();
  });
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
  client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  await once(client, "readable");
  await delay(300);
  // The rest is in the buffers of two sockets; nothing in between keeps reading.
  expect(sent).toBeLessThan(16 * 2 ** 20);
  expect((await buffer(client)).length).toBe(size + "HTTP/1.1 200 Connection established\r\n\r\n".length);
});

test("2000 connections at once: capped for one user, another is served meanwhile", async () => {
  const held: Socket[] = [];
  const port = await tcp((socket) => held.push(socket));
  const quick = await http((_request, response) => response.end("hello"));
  const allow = [`127.0.0.1:${port}`, `127.0.0.1:${quick}`];
  const egress = start({ mode: "off", allow, limits: { connections: 50 } });
  const outcomes = Array.from({ length: 2000 }, async () => {
    const { client } = serve(egress, "greedy");
    client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    const [first] = (await once(client, "data")) as [Buffer];
    return first.toString().split(" ")[1];
  });
  const begun = performance.now();
  const other = await ask(egress, `GET http://127.0.0.1:${quick}/ HTTP/1.1\r\n\r\n`, "other");
  expect(other.body).toContain("hello");
  expect(performance.now() - begun).toBeLessThan(3000);
  const statuses = await Promise.all(outcomes);
  expect(statuses.filter((status) => status === "200")).toHaveLength(50);
  expect(statuses.filter((status) => status === "429")).toHaveLength(1950);
  await expect.poll(() => held.length).toBe(50);
  expect(egress.denials("greedy", 0)).toMatchObject([
    { host: "*", reason: "too_many_connections", count: 1950 },
  ]);
});

test("whatever bytes a client sends, it gets an error or nothing, and nothing is connected to", async () => {
  let dialled = 0;
  const failures: object[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (details: object) => void failures.push(details) };
  const dial = () => {
    dialled++;
    return Promise.reject(new Error("dialled"));
  };
  const limits = { connections: 1e6, perSecond: 1e6, burst: 1e6 };
  const egress = start({ mode: "packages", allow: ["named.example:1"], dial, log, limits });
  const piece = fc.constantFrom(
    ...[
      "GET ",
      "CONNECT ",
      "POST ",
      "http://",
      "named.example",
      "pypi.org",
      ":443",
      ":1",
      "/",
      " HTTP/1.1",
      "\r\n",
    ],
    ...[
      "\r\n\r\n",
      "\n",
      "\r",
      "\0",
      "Host: ",
      "Content-Length: ",
      "Transfer-Encoding: chunked",
      "@",
      "[::1]",
      "%",
      "9".repeat(30),
    ],
    ...["\t", " ", "HTTP/2.0", "x".repeat(17_000)],
  );
  const bytes = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
    fc.uint8Array().map((noise) => `GET ${Buffer.from(noise).toString("latin1")} HTTP/1.1\r\n\r\n`),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (sent) => {
      // Only a request that is whole and allowed may get as far as a lookup.
      fc.pre(!/(named\.example:1|pypi\.org:443)[/ ]/.test(sent));
      const { client, served } = serve(egress);
      client.end(Buffer.from(sent, "latin1"));
      const { head } = await answer(client);
      await served;
      expect(head).toMatch(/^HTTP\/1\.1 4\d\d Cove egress: /);
    }),
    { numRuns: 500 },
  );
  expect(dialled).toBe(0);
  expect(failures).toEqual([]);
});

test("closing ends what is open and takes nothing new", async () => {
  const port = await tcp(() => undefined);
  const egress = start({ mode: "off", allow: [`127.0.0.1:${port}`] });
  const { client, served } = serve(egress);
  client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  await once(client, "data");
  egress.close();
  await served;
  await serve(egress).served;
});

type Answer = { head: string; body: string };

function start(options: EgressOptions): Egress {
  const log = { debug() {}, info() {}, warn() {}, error: () => undefined };
  const egress = openEgress({ log, ...options });
  cleanups.push(() => egress.close());
  return egress;
}

function serve(egress: Egress, userId = "user") {
  const [client, server] = duplexPair();
  const denied: Denial[] = [];
  client.on("error", () => undefined);
  const served = egress.serve(userId, server, { onDenied: (denial) => denied.push(denial) });
  // A pair doesn't tell one end that the other was destroyed, as a pipe does.
  server.once("close", () => client.destroy());
  client.once("close", () => server.destroy());
  return { client, served, denied };
}

function open(options: EgressOptions) {
  return serve(start(options));
}

async function ask(egress: Egress, bytes: string, userId?: string): Promise<Answer & { denied: Denial[] }> {
  const { client, served, denied } = serve(egress, userId);
  client.write(Buffer.from(bytes, "latin1"));
  const got = await answer(client);
  await served;
  return { ...got, denied };
}

async function answer(client: Duplex): Promise<Answer> {
  let all = "";
  client.on("data", (chunk) => {
    all += chunk;
  });
  await Promise.race([once(client, "end"), once(client, "close")]);
  client.end();
  const at = all.indexOf("\r\n\r\n");
  return { head: all.slice(0, at + 2), body: all.slice(at + 4) };
}

async function tcp(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on("error", () => undefined));
    onConnection(socket);
  });
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return listening(server);
}

async function http(listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener);
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return listening(server);
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
  return port;
}
