import { afterEach, expect, test } from "vitest";
import { ask, cleanUp, http, loopback, start, tcp } from "../../tests/support/egress.ts";
import type { Address } from "./resolve.ts";

afterEach(cleanUp);

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
  expect(performance.now() - begun).toBeLessThan(5000);
  expect(head).toContain("403");
  expect(denied).toHaveLength(1);
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
