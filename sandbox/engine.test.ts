import Docker from "dockerode";
import { expect, test } from "vitest";
import { engineOf, explain } from "./engine.ts";
import { EngineError } from "./errors.ts";

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
  const { call } = engineOf(new Docker());
  const started = () => Promise.reject(failure("already started", { statusCode: 304 }));
  await expect(call(started, { toleratedCodes: [304] })).resolves.toBeUndefined();
  await expect(call(started)).rejects.toMatchObject({ code: "engine_failed" });
});

test("an engine that isn't there is told in a sentence", async () => {
  const docker = new Docker({ socketPath: "/nowhere/docker.sock" });
  const { call } = engineOf(docker);
  await expect(call(() => docker.ping())).rejects.toThrow(
    "The container engine doesn't answer: is Docker running?",
  );
});
