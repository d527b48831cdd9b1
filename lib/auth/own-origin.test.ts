import { expect, test } from "vitest";
import { refuseOtherSites } from "./own-origin.ts";

const HOST = "cove.example:8443";

test.each<[string, Record<string, string>]>([
  ["a program", {}],
  ["a page at the address that was asked", { origin: `https://${HOST}`, "sec-fetch-site": "same-origin" }],
  ["a page at the address we are known by", { origin: "http://localhost:3000" }],
  ["somebody who typed the address", { "sec-fetch-site": "none" }],
])("%s may come in", (_who, headers) => {
  expect(() => refuseOtherSites(request(headers))).not.toThrow();
});

test.each<[string, Record<string, string>]>([
  ["another site", { origin: "https://evil.example" }],
  ["a name that begins like ours", { origin: "https://cove.example.evil.example:8443" }],
  ["another port of the same machine", { origin: "https://cove.example" }],
  ["another server on this machine", { origin: "http://localhost:4000" }],
  ["a sandboxed frame", { origin: "null" }],
  ["nonsense", { origin: "x" }],
  ["another site's picture or link", { "sec-fetch-site": "cross-site" }],
  ["a neighbour under the same domain", { "sec-fetch-site": "same-site", origin: `https://${HOST}` }],
])("%s may not", (_who, headers) => {
  expect(() => refuseOtherSites(request(headers))).toThrow(/other sites/);
});

function request(headers: Record<string, string>): Request {
  return new Request(`https://${HOST}/x`, { method: "POST", headers: { host: HOST, ...headers } });
}
