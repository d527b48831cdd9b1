import { once } from "node:events";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { answer, ask, cleanUp, http, open, serve, start, tcp } from "../../tests/support/egress.ts";

afterEach(cleanUp);

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
    "\t",
    " ",
    "HTTP/2.0",
    "x".repeat(17_000),
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
    { numRuns: 300 },
  );
  expect(dialled).toBe(0);
  expect(failures).toEqual([]);
}, 30_000);
