import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectEngine, engineVersion } from "./connect-engine.ts";

let folder: string;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cove-engines-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true });
});

/** Something that answers as an engine of this version does. */
async function engineOf(Version: string, ApiVersion: string, at: string | number): Promise<Server> {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { "content-type": "application/json" });
    answer.end(JSON.stringify({ Version, ApiVersion }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(at, resolve));
  return server;
}

test.each([
  ["20.10.24", "1.41"],
  ["29.0.1", "1.52"],
  // Podman counts its own versions, but speaks this one of Docker's.
  ["5.4.2", "1.41"],
])("an engine %s that speaks %s is good enough", async (version, api) => {
  const socket = join(folder, "engine.sock");
  await engineOf(version, api, socket);
  expect(await engineVersion(connectEngine(`unix://${socket}`))).toBe(version);
});

test("an engine that is too old is named, with what is needed", async () => {
  const socket = join(folder, "engine.sock");
  await engineOf("19.03.15", "1.40", socket);
  await expect(engineVersion(connectEngine(`unix://${socket}`))).rejects.toThrow(
    "Docker 19.03.15 is too old: Cove needs 20.10 or newer.",
  );
});

test("the address that was given counts, whatever DOCKER_HOST says", async () => {
  const socket = join(folder, "engine.sock");
  await engineOf("20.10.1", "1.41", socket);
  const other = (await engineOf("28.0.0", "1.48", 0)).address() as AddressInfo;
  vi.stubEnv("DOCKER_HOST", `tcp://127.0.0.1:${other.port}`);
  expect(await engineVersion(connectEngine(`unix://${socket}`))).toBe("20.10.1");
  vi.stubEnv("DOCKER_HOST", `unix://${socket}`);
  expect(await engineVersion(connectEngine(`tcp://127.0.0.1:${other.port}`))).toBe("28.0.0");
});

test.each([
  ["tcp://engine.example", { protocol: "http", host: "engine.example", port: 2375 }],
  ["https://engine.example", { protocol: "https", host: "engine.example", port: 2376 }],
  ["ssh://me@engine.example", { protocol: "ssh", host: "engine.example", port: 22, username: "me" }],
])("%s has its usual port", (address, expected) => {
  expect(connectEngine(address).modem).toMatchObject(expected);
});

test("an address where nothing listens is told apart from an engine that refuses", async () => {
  const nowhere = engineVersion(connectEngine("unix:///nowhere/docker.sock"));
  await expect(nowhere).rejects.toMatchObject({ message: "No Docker engine answers.", absent: true });
});
