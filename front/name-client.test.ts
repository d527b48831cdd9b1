import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { nameClient, trustedProxies } from "./name-client.ts";

const STRANGER = "203.0.113.9";
const PROXY = "10.0.0.2";

function headersBehind(remoteAddress: string, headers: Record<string, string>, trusted = ["10.0.0.0/8"]) {
  const request = { socket: { remoteAddress }, headers: { ...headers } } as unknown as IncomingMessage;
  nameClient(request, trustedProxies(trusted));
  return request.headers;
}

test.each([
  ["a stranger's own claim counts for nothing", STRANGER, "198.51.100.1", STRANGER],
  ["a proxy's word counts", PROXY, "198.51.100.1", "198.51.100.1"],
  ["what a client told the proxy doesn't", PROXY, "192.0.2.1, 198.51.100.1", "198.51.100.1"],
  ["neither does nonsense it told the proxy", PROXY, "'; drop table, 198.51.100.1", "198.51.100.1"],
  ["a chain of proxies is followed to its end", PROXY, "192.0.2.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["somebody inside the trusted networks is themselves", PROXY, "10.7.7.7, 10.9.9.9", "10.7.7.7"],
  ["a proxy that says nothing is the client", PROXY, "", PROXY],
  ["a malformed header is ignored", PROXY, "198.51.100.1, unknown", PROXY],
  ["a port is left away", PROXY, "198.51.100.1:4711", "198.51.100.1"],
  ["so it is with IPv6", PROXY, "[2001:db8::7]:4711", "2001:db8::7"],
  ["an IPv4 address may come as IPv6", "::ffff:10.0.0.2", "::ffff:198.51.100.1", "198.51.100.1"],
])("%s", (_what, socket, header, client) => {
  expect(headersBehind(socket, { "x-forwarded-for": header })["x-forwarded-for"]).toBe(client);
});

test("nobody is trusted unless they are named", () => {
  expect(headersBehind("127.0.0.1", { "x-forwarded-for": "192.0.2.1" }, [])["x-forwarded-for"]).toBe(
    "127.0.0.1",
  );
  expect(headersBehind("::1", { "x-forwarded-for": "192.0.2.1" }, ["loopback"])["x-forwarded-for"]).toBe(
    "192.0.2.1",
  );
  expect(
    headersBehind("172.18.0.3", { "x-forwarded-for": "192.0.2.1" }, ["private"])["x-forwarded-for"],
  ).toBe("192.0.2.1");
});

test("what else they claim about themselves is taken away, unless a proxy says it", () => {
  const claims = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "1",
    forwarded: "for=192.0.2.1",
    "x-real-ip": "192.0.2.1",
  };
  expect(headersBehind(STRANGER, claims)).toEqual({ "x-forwarded-for": STRANGER });
  expect(headersBehind(PROXY, claims)).toEqual({
    "x-forwarded-for": PROXY,
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "1",
  });
});
