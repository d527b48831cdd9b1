// What anybody can do who only reaches the port: connections without an end, and lies about where they come from.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCaller } from "../support/caller.ts";
import { type Cove, startCove } from "../support/cove.ts";
import { addPerson } from "../support/people.ts";
import { serverGrowth } from "../support/server-memory.ts";

const HALF_BODY = [
  "POST /api/auth/callback/credentials HTTP/1.1",
  "Host: localhost",
  "Content-Type: application/x-www-form-urlencoded",
  "Content-Length: 1000",
  "",
  "email=",
].join("\r\n");
const HALF_HEAD = "GET /health HTTP/1.1\r\nHost: localhost\r\n";
const HALF_FORM = HALF_BODY.replace("/api/auth/callback/credentials", "/sign-in").replace(
  "Content-Type",
  "Next-Action: 00\r\nContent-Type",
);

const CHUNK = Buffer.from(`10000\r\n${"x".repeat(2 ** 16)}\r\n`);

let cove: Cove;
const sockets: Socket[] = [];
beforeAll(async () => {
  // Nobody is trusted, as it is by default.
  cove = await startCove({ COVE_TRUSTED_PROXIES: undefined, COVE_LOG_LEVEL: "info" });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await cove?.stop();
});

describe("34. Connections that keep the server waiting", () => {
  test("an unfinished head and an unfinished body are given up, and a slow upload is not", async () => {
    const { token } = await newCaller(cove);
    const upload = dial();
    upload.write(
      "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
        `Authorization: Bearer ${token}\r\nContent-Length: 200000\r\n\r\n`,
    );
    const steady = setInterval(() => upload.write("x".repeat(2000)), 1000);
    const [head, body, form] = await Promise.all([HALF_HEAD, HALF_BODY, HALF_FORM].map(whenClosed));
    clearInterval(steady);
    expect(head?.text).toMatch(/^HTTP\/1.1 408 /);
    expect(body?.text).toMatch(/^HTTP\/1.1 408 .*"code":"timeout"/s);
    // Refused for what it is, and then not waited for.
    expect(form?.text).toMatch(/^(HTTP\/1.1 (408|404) |$)/);
    expect(upload.destroyed).toBe(false);
    upload.destroy();
  });

  test("thousands of them leave somebody who works here alone, at another address and at the same one", async () => {
    const ada = await newCaller(cove);
    for (let n = 0; n < 4000; n++) {
      const socket = dial();
      socket.write(n % 3 === 0 ? HALF_HEAD : n % 3 === 1 ? HALF_BODY : HALF_FORM);
      if (n % 100 === 99) await sleep(10);
      if (n % 1000 === 999) {
        expect((await ask("/tools", { localAddress: "127.0.0.7", token: ada.token })).status).toBe(200);
        expect((await ask("/tools", { token: ada.token })).status).toBe(200);
      }
    }
    expect((await ask("/health")).status).toBe(200);
    // Of one address, an eighth of what a server holds at the most.
    const held = () => sockets.filter(({ destroyed }) => !destroyed).length;
    await expect.poll(held, { timeout: 30_000 }).toBeLessThanOrEqual(1024);
  });

  test("that is told in a line or two, and neither the database nor a page is blamed", async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    while (!/"displaced":\d+/.test(cove.output())) await sleep(200);
    await ask("/health");
    const lines = cove.output().split("\n");
    expect(lines.filter((line) => line.includes("made room")).length).toBeLessThan(4);
    expect(lines.filter((line) => /database does not answer|a page failed|aborted/i.test(line))).toEqual([]);
    expect(lines.length).toBeLessThan(500);
  });

  test.each(["TRACE", "PROPFIND", "CONNECT", "BREW"])("%s is refused in words", async (method) => {
    const { text } = await whenClosed(`${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 (405|501) .*"message":".+\."/s);
  });

  test("a packet full of requests is not worked off, and a handful on one connection is", async () => {
    const packet = "GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1600);
    const { grown, result } = await serverGrowth(cove, async () => {
      const closed = Array.from({ length: 20 }, () => whenClosed(packet));
      expect((await ask("/health")).status).toBe(200);
      return Promise.all(closed);
    });
    for (const { text } of result) expect(text.split("HTTP/1.1 200").length - 1).toBeLessThanOrEqual(8);
    expect(grown).toBeLessThan(400 * 2 ** 20);
    const one = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n";
    const { text } = await whenClosed(`${`${one}\r\n`.repeat(4)}${one}Connection: close\r\n\r\n`);
    expect(text.match(/HTTP\/1.1 200 /g)).toHaveLength(5);
  });

  test("bodies that no page would send are not held in memory, and are not a line of the log each", async () => {
    const { grown, result } = await serverGrowth(cove, () =>
      Promise.all(Array.from({ length: 100 }, () => sendTenMegabytes("/sign-in"))),
    );
    expect(result.filter((answer) => !answer.startsWith("HTTP/1.1 413 "))).toEqual([]);
    // A gigabyte was sent, and of what is thrown away not all is gone at once.
    expect(grown).toBeLessThan(600 * 2 ** 20);
    expect(cove.output()).not.toContain("Request body exceeded");
    expect((await ask("/sign-in")).status).toBe(200);
  }, 120_000);
});

describe("35. Addresses that are made up", () => {
  const password = "a long password";

  test("guesses count for the address they come from, and for none that they name", async () => {
    const email = `${randomUUID()}@example.com`;
    await addPerson(cove.dataDir, { email, name: "Somebody", password });
    const [guesser, victim] = ["127.0.0.50", "127.0.0.60"];
    expect(await signsIn(email, guesser)).toBe(true);
    for (let batch = 0; batch < 11; batch++) {
      const guesses = Array.from({ length: 10 }, (_, n) =>
        signsIn(`${randomUUID()}@example.com`, guesser, {
          "x-forwarded-for": n % 2 ? victim : `192.0.2.${batch * 10 + n}`,
          "x-real-ip": victim,
          forwarded: `for=${victim}`,
        }),
      );
      await Promise.all(guesses);
    }
    expect(await signsIn(email, guesser, { "x-forwarded-for": "192.0.2.250" })).toBe(false);
    expect(await signsIn(email, victim)).toBe(true);
  });

  async function signsIn(email: string, localAddress: string, headers: Record<string, string> = {}) {
    const csrf = await ask("/api/auth/csrf", { localAddress });
    const answer = await ask("/api/auth/callback/credentials", {
      localAddress,
      headers: {
        cookie: csrf.cookies.map((line) => line.split(";")[0]).join("; "),
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      },
      body: String(new URLSearchParams({ csrfToken: JSON.parse(csrf.text).csrfToken, email, password })),
    });
    return answer.cookies.some((line) => line.startsWith("cove.session="));
  }
});

interface Question {
  localAddress?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: string;
}

function ask(path: string, { localAddress, token, headers, body }: Question = {}) {
  const { port } = new URL(cove.url);
  return new Promise<{ status?: number; text: string; cookies: string[] }>((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path,
      localAddress,
      agent: false,
      method: body === undefined ? "GET" : "POST",
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    });
    sent.on("error", reject);
    sent.on("response", async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode, text, cookies: answer.headers["set-cookie"] ?? [] });
    });
    sent.end(body);
  });
}

function dial(): Socket {
  const socket = connect(Number(new URL(cove.url).port), "127.0.0.1");
  socket.on("error", () => socket.destroy());
  // Whatever is said to it is heard, its end included.
  socket.resume();
  sockets.push(socket);
  return socket;
}

/** In chunks that never end; resolves with what was answered once the server has closed. */
async function sendTenMegabytes(path: string): Promise<string> {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nNext-Action: 00\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const socket = dial();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  socket.write(head);
  for (let n = 0; n < 160 && !socket.destroyed; n++) {
    if (!socket.write(CHUNK)) await Promise.race([closed, once(socket, "drain").catch(() => undefined)]);
  }
  await closed;
  return text;
}

/** Says this and no more, until the server closes. */
function whenClosed(said: string): Promise<{ text: string }> {
  const socket = dial();
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.write(said);
  return new Promise((resolve) => socket.once("close", () => resolve({ text })));
}
