import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { expect, onTestFinished, test } from "vitest";
import { EngineError } from "../errors.ts";
import { dockerClient, explain } from "./docker-client.ts";

const failure = (message: string, more: object) => Object.assign(new Error(message), more);

test.each([
  ["connect ECONNREFUSED /var/run/docker.sock", { code: "ECONNREFUSED" }, "engine_unavailable"],
  ["connect ENOENT /var/run/docker.sock", { code: "ENOENT" }, "engine_unavailable"],
  ["socket hang up", {}, "engine_unavailable"],
  ["(HTTP code 404) no such image - No such image: cove:1", { statusCode: 404 }, "image_missing"],
  ["(HTTP code 404) no such container - No such container: x", { statusCode: 404 }, "sandbox_gone"],
  ["(HTTP code 500) write /x: no space left on device", { statusCode: 500 }, "disk_full"],
  ["(HTTP code 500) something else", { statusCode: 500 }, "engine_failed"],
])("%s is %s", (message, more, code) => {
  const cause = failure(message, more);
  expect(explain(cause)).toMatchObject({ code, cause });
});

test("what is already explained stays as it is", () => {
  const error = new EngineError("disk_full", "full");
  expect(explain(error)).toBe(error);
});

test("an answer that means `already so` is not a failure", async () => {
  const { call } = dockerClient(new Docker());
  const started = () => Promise.reject(failure("already started", { statusCode: 304 }));
  await expect(call(started, { toleratedCodes: [304] })).resolves.toBeUndefined();
  await expect(call(started)).rejects.toMatchObject({ code: "engine_failed" });
});

test("an engine that isn't there is told in a sentence", async () => {
  const docker = new Docker({ socketPath: "/nowhere/docker.sock" });
  const { call } = dockerClient(docker);
  await expect(call(() => docker.ping())).rejects.toThrow(
    "The container engine doesn't answer: is Docker running?",
  );
});

test("an engine that hangs is told apart from a slow one, and its calls neither stay open nor hold up the next", async () => {
  const { docker, connections } = await silentEngine();
  const { call } = dockerClient(docker, { concurrency: 1, timeoutMs: 100 });
  const calls = [1, 2, 3].map(() => call((abortSignal) => docker.listContainers({ abortSignal })));
  for (const one of calls) {
    await expect(one).rejects.toMatchObject({
      code: "engine_unavailable",
      message: "The container engine didn't answer within 0.1 s.",
    });
  }
  await expect.poll(() => connections.every((connection) => connection.destroyed)).toBe(true);
  expect(connections).toHaveLength(3);
});

test("what takes its time is given it, outside of the queue", async () => {
  const { docker } = await silentEngine();
  const { call, attend } = dockerClient(docker, { concurrency: 1, timeoutMs: 50 });
  const long = attend(() => new Promise((resolve) => setTimeout(() => resolve("done"), 200)), 10_000);
  await expect(call((abortSignal) => docker.listContainers({ abortSignal }))).rejects.toThrow(EngineError);
  await expect(long).resolves.toBe("done");
  const endless = attend((abortSignal) => docker.listContainers({ abortSignal }), 50);
  await expect(endless).rejects.toMatchObject({ code: "engine_unavailable" });
});

/** Takes every request and answers none. */
async function silentEngine() {
  const directory = await mkdtemp(join(tmpdir(), "cove-silent-"));
  const connections: Socket[] = [];
  const server = createServer((connection) => {
    connections.push(connection.on("error", () => undefined).resume());
  });
  const socketPath = join(directory, "docker.sock");
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(async () => {
    server.close();
    for (const connection of connections) connection.destroy();
    await rm(directory, { recursive: true });
  });
  return { docker: new Docker({ socketPath }), connections };
}
