import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { type Address, dnsLookup, resolveChecked, sharedLookup } from "./resolve.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const v4 = (address: string): Address => ({ address, family: 4 });
const answering = (...addresses: Address[]) => ({
  lookup: async () => addresses,
  trusted: false,
  timeoutMs: 1000,
  isOwn: () => false,
});

test("a name with public addresses resolves to all of them", async () => {
  const both = [v4("1.1.1.1"), { address: "2606:4700::1111", family: 6 as const }];
  expect(await resolveChecked("a.example", answering(...both))).toEqual(both);
});

test.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::ffff:10.0.0.1", "fe80::1%eth0"])(
  "a name that leads to %s is refused",
  async (address) => {
    const options = answering(v4("1.1.1.1"), v4(address));
    await expect(resolveChecked("a.example", options)).rejects.toMatchObject({ reason: "private_address" });
  },
);

test("an address is checked like the answer to a name", async () => {
  await expect(resolveChecked("127.0.0.1", answering())).rejects.toMatchObject({ reason: "private_address" });
  await expect(resolveChecked("::1", answering())).rejects.toMatchObject({ reason: "private_address" });
  expect(await resolveChecked("1.1.1.1", answering())).toEqual([v4("1.1.1.1")]);
});

test("the host's own public address is refused", async () => {
  const options = { ...answering(v4("1.2.3.4")), isOwn: (address: string) => address === "1.2.3.4" };
  await expect(resolveChecked("a.example", options)).rejects.toMatchObject({ reason: "private_address" });
});

test("what is vouched for may be anywhere", async () => {
  const options = { ...answering(v4("203.0.113.7")), trusted: true };
  expect(await resolveChecked("registry.example", options)).toEqual([v4("203.0.113.7")]);
});

test("a refusal does not tell which address it was", async () => {
  const refusal = await resolveChecked("a.example", answering(v4("10.1.2.3"))).catch((error) => error);
  expect(refusal.message).not.toContain("10.1.2.3");
});

test("a name without addresses, and one whose lookup fails, can't be found", async () => {
  await expect(resolveChecked("a.example", answering())).rejects.toMatchObject({ reason: "name_not_found" });
  const failing = { ...answering(), lookup: () => Promise.reject(new Error("ENOTFOUND")) };
  await expect(resolveChecked("a.example", failing)).rejects.toMatchObject({ reason: "name_not_found" });
});

test("a lookup that takes too long is given up", async () => {
  const silent = { ...answering(), lookup: () => new Promise<never>(() => undefined), timeoutMs: 20 };
  await expect(resolveChecked("a.example", silent)).rejects.toMatchObject({ reason: "lookup_timeout" });
});

test("those who ask for one name at once share the answer, later ones ask again", async () => {
  let asked = 0;
  const lookup = sharedLookup(async () => {
    asked++;
    return [v4("1.1.1.1")];
  });
  await Promise.all([lookup("a"), lookup("a"), lookup("b")]);
  expect(asked).toBe(2);
  await lookup("a");
  expect(asked).toBe(3);
});

test("names made up by sandboxed code are asked of DNS alone, both families at once", async () => {
  const resolver = new dns.Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`127.0.0.1:${await nameServer()}`]);
  const lookup = dnsLookup(resolver);
  expect(await lookup("both.example")).toEqual([v4("1.2.3.4"), { address: "2606:4700::1", family: 6 }]);
  expect(await lookup("four.example")).toEqual([v4("1.2.3.4")]);
  await expect(lookup("none.example")).rejects.toThrow();
  // In every hosts file; a system lookup would answer.
  await expect(lookup("localhost")).rejects.toThrow();
});

/** Answers both.example with A and AAAA, four.example with A, and nothing else. */
async function nameServer(): Promise<number> {
  const server = createSocket("udp4");
  cleanups.push(() => server.close());
  server.on("message", (query, { port, address }) => {
    const isA = query.at(-3) === 1 || query.indexOf(Buffer.from([0, 0, 1, 0, 1])) > 0;
    const name = query.subarray(13, 17).toString();
    const data = isA ? [1, 2, 3, 4] : [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    const known = name === "both" || (name === "four" && isA);
    const end = query.indexOf(Buffer.from([0, 0, isA ? 1 : 28, 0, 1]), 12) + 5;
    const header = Buffer.from([0x81, known ? 0x80 : 0x83, 0, 1, 0, known ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, isA ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);
    const answer = [query.subarray(0, 2), header, query.subarray(12, end), ...(known ? [record] : [])];
    server.send(Buffer.concat(answer), port, address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  return server.address().port;
}
