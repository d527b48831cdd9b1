import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { dial } from "./dial.ts";

const never = new AbortController().signal;

test("an address that doesn't answer is passed over, and the name is never looked up", async () => {
  await using server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const addresses = ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 as const }));
  const socket = await dial({
    addresses,
    host: "no.such.name.invalid",
    port,
    timeoutMs: 5000,
    signal: never,
  });
  expect(socket.remoteAddress).toBe("127.0.0.1");
  socket.destroy();
});

test("where nobody listens, it says so", async () => {
  const addresses = [{ address: "127.0.0.2", family: 4 as const }];
  const attempt = dial({ addresses, host: "a.example", port: 1, timeoutMs: 5000, signal: never });
  await expect(attempt).rejects.toMatchObject({ reason: "connect_failed" });
});

test("nothing is connected for a client that has left", async () => {
  const gone = new AbortController();
  const addresses = [{ address: "127.0.0.1", family: 4 as const }];
  const attempt = dial({ addresses, host: "a.example", port: 1, timeoutMs: 5000, signal: gone.signal });
  gone.abort();
  await expect(attempt).rejects.toThrow(/abort/);
  await expect(dial({ addresses, host: "a", port: 1, timeoutMs: 1, signal: gone.signal })).rejects.toThrow(
    /abort/,
  );
});
