import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { createServer as createTlsServer, connect as tlsConnect } from "node:tls";
import { afterEach, expect, test } from "vitest";
import {
  answer,
  ask,
  cleanUp,
  closedPort,
  http,
  listening,
  loopback,
  open,
  serve,
  start,
  tcp,
} from "../../tests/support/egress.ts";

afterEach(cleanUp);

test("a tunnel to a named host and port carries bytes both ways and half-closes", async () => {
  const port = await tcp((socket) => socket.pipe(socket));
  const { client } = open({ mode: "off", allow: [`127.0.0.1:${port}`] });
  client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\nearly `);
  client.end("and late");
  expect(await text(client)).toBe("HTTP/1.1 200 Connection established\r\n\r\nearly and late");
});

test("TLS that asks for the allowed name passes, end to end", async () => {
  const psk = { psk: Buffer.alloc(16, 7), identity: "cove" };
  const tls = { ciphers: "PSK", maxVersion: "TLSv1.2" as const };
  const port = await listening(
    createTlsServer({ ...tls, pskCallback: () => psk.psk }, (socket) =>
      socket.end(`for ${socket.servername}`),
    ),
  );
  const registries = [{ scheme: "https" as const, host: "mirror.example", port }];
  const { client } = serve(start({ mode: "packages", registries, lookup: async () => loopback }));
  client.write(`CONNECT mirror.example:${port} HTTP/1.1\r\n\r\n`);
  await once(client, "data");
  const checkServerIdentity = () => undefined;
  const options = { ...tls, servername: "mirror.example", pskCallback: () => psk, checkServerIdentity };
  expect(await text(tlsConnect({ socket: client, ...options }))).toBe("for mirror.example");
});

test("a client on a real socket gets a large page whole, over and over", async () => {
  const page = Buffer.alloc(3 * 2 ** 20, "page ");
  const port = await http((_request, response) => response.end(page));
  const egress = start({ mode: "off", allow: [`127.0.0.1:${port}`] });
  const proxyPort = await listening(
    createServer({ allowHalfOpen: true }, (socket) => void egress.serve("user", socket)),
  );
  const agent = new Agent({ keepAlive: true });
  for (let n = 0; n < 5; n++) {
    const asked = get({ host: "127.0.0.1", port: proxyPort, path: `http://127.0.0.1:${port}/`, agent });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    expect((await buffer(response)).equals(page)).toBe(true);
  }
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

test("a client that says everything at once and no more is served to the end", async () => {
  const port = await tcp((socket) => socket.on("end", () => socket.end("goodbye")).resume());
  const page = await http((_request, response) => response.end("page"));
  const allow = [`127.0.0.1:${port}`, `127.0.0.1:${page}`];
  const tunnel = open({ mode: "off", allow }).client;
  tunnel.end(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  expect(await text(tunnel)).toMatch(/goodbye$/);
  const plain = open({ mode: "off", allow }).client;
  plain.end(`GET http://127.0.0.1:${page}/ HTTP/1.1\r\n\r\n`);
  expect(await text(plain)).toContain("page");
});

test("every connection gives its place back, however it ended", async () => {
  const page = await http((_request, response) => response.end("page"));
  const allow = [`127.0.0.1:${page}`, `127.0.0.1:${await closedPort()}`];
  const egress = start({ mode: "off", allow, limits: { connections: 1 } });
  for (const site of [...allow, "denied.example:80", ...allow]) {
    const { head } = await ask(egress, `GET http://${site}/ HTTP/1.1\r\n\r\n`);
    expect(head).not.toContain("429");
  }
  const { client, served } = serve(egress);
  client.destroy();
  await served;
  expect((await ask(egress, `GET http://127.0.0.1:${page}/ HTTP/1.1\r\n\r\n`)).body).toContain("page");
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
