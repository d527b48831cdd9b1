import { CallbackRouteError } from "@auth/core/errors";
import { expect, test } from "vitest";
import { createLog, requests } from "./log.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog("info", { write: (line) => lines.push(line) }));
  return lines.join("");
}

test("secrets are cut out by name, wherever they stand", () => {
  const text = logged((log) => {
    log.info({
      token: "cove_1",
      password: "hunter2",
      request: { headers: { authorization: "Bearer cove_2", cookie: "c=3" } },
    });
    log.info({ user: { passwordHash: "$argon2id$4", name: "Ada" }, model: { apiKey: "sk-5" } });
  });
  expect(text).not.toMatch(/cove_|hunter2|c=3|argon2id|sk-5/);
  expect(text).toContain("Ada");
});

test("a failed query is logged without its parameters", () => {
  const cause = Object.assign(new Error("duplicate key"), {
    code: "23505",
    detail: "Key (email)=(ada@example.com)",
  });
  const error = new Error(
    "Failed query: insert into users values ($1)\nparams: ada@example.com,$argon2id$x",
    { cause },
  );
  const text = logged((log) => log.error({ err: error }, "it failed"));
  expect(text).toContain("Failed query: insert into users");
  expect(text).toContain('"code":"23505"');
  expect(text).not.toMatch(/ada@example\.com|argon2id/);
});

test("what the sandbox reports is told in full, under its own names", () => {
  const error = Object.assign(new Error("no answer"), { code: "ETIMEDOUT" });
  const text = logged((log) => log.warn({ error, errors: [error, "gone"] }, "it failed"));
  const told = { name: "Error", message: "no answer", code: "ETIMEDOUT" };
  expect(JSON.parse(text)).toMatchObject({ error: told, errors: [told, "gone"] });
});

test("an error that next-auth wrapped is told with what is inside", () => {
  const wrapped = new CallbackRouteError("", { cause: { err: new Error("connect ECONNREFUSED") } });
  const text = logged((log) => log.error({ err: wrapped }, "sign-in failed"));
  expect(JSON.parse(text).err).toMatchObject({
    name: "CallbackRouteError",
    cause: { message: "connect ECONNREFUSED" },
  });
});

test("a line says nothing of the line before it", () => {
  const text = logged((log) =>
    requests.run({ requestId: "r1" }, () => {
      log.error({ err: new Error("the first") }, "it failed");
      log.info("the second");
    }),
  );
  expect(JSON.parse(text.trim().split("\n")[1] ?? "")).not.toHaveProperty("err");
});

test("lines carry the ids of the request they belong to", () => {
  const text = logged((log) => requests.run({ requestId: "r1", userId: "u1" }, () => log.info("inside")));
  expect(JSON.parse(text)).toMatchObject({ level: "info", requestId: "r1", userId: "u1", msg: "inside" });
});
