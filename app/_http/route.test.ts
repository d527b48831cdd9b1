import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { createLog, provideLog } from "#lib/log.ts";
import { readJson } from "./read-body.ts";
import { route, routeName } from "./route.ts";

const lines: string[] = [];
const context = { params: Promise.resolve({}) };
const everyone = () => "somebody";

beforeAll(() => {
  provideLog(createLog("info", { write: (line) => lines.push(line) }));
});

function post(
  body: BodyInit,
  headers: Record<string, string> = { "content-type": "application/json" },
): Request {
  return new Request("http://localhost/x", { method: "POST", body, headers });
}

describe("a door", () => {
  const greet = route({
    guard: everyone,
    body: z.object({ name: z.string() }),
    handle: ({ caller, body }) => ({ greeting: `${caller} greets ${body.name}` }),
  });

  test("answers what its handler returns, as JSON that is not kept", async () => {
    const response = await greet(post(JSON.stringify({ name: "Ada" })), context);
    expect(await response.json()).toEqual({ greeting: "somebody greets Ada" });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ["what is not JSON", post("{"), 400, "bad_request"],
    ["what is not UTF-8", post(new Uint8Array([0x22, 0xff, 0x22])), 400, "bad_request"],
    ["a missing field", post("{}"), 400, "bad_request"],
    ["a wrong type", post('{"name": 1}'), 400, "bad_request"],
    [
      "a form",
      post("name=Ada", { "content-type": "application/x-www-form-urlencoded" }),
      415,
      "unsupported_media_type",
    ],
    ["no type at all", post(new Uint8Array([1]), {}), 415, "unsupported_media_type"],
    ["eleven megabytes", post(`"${"x".repeat(11 * 2 ** 20)}"`), 413, "too_large"],
  ])("refuses %s", async (_what, request, status, code) => {
    const response = await greet(request, context);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { code, message: expect.any(String) } });
  });

  test("names the argument that is wrong", async () => {
    const response = await greet(post('{"name": 1}'), context);
    expect((await response.json()).error.message).toMatch(/^name: /);
  });

  test("turns a guard's refusal into 401 with the way in", async () => {
    const closed = route({
      guard: () => {
        throw new AppError("unauthenticated", "Who are you?");
      },
      handle: () => "never",
    });
    const response = await closed(new Request("http://localhost/x"), context);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="Cove"');
  });

  test("says when to come back", async () => {
    const busy = route({
      guard: everyone,
      handle: () => {
        throw new AppError("rate_limited", "Slow down.", { retryAfterSeconds: 7 });
      },
    });
    const response = await busy(new Request("http://localhost/x"), context);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  });

  test("keeps an unexpected error's words to the log, under the answer's request id", async () => {
    const broken = route({
      guard: everyone,
      handle: () => {
        throw new Error("secret detail");
      },
    });
    const response = await broken(new Request("http://localhost/x"), context);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret detail");
    const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.level === "error");
    expect(logged).toMatchObject([
      { requestId: response.headers.get("x-request-id"), err: { message: "secret detail" } },
    ]);
  });
});

test("a body is read no further than its limit, whatever its length claims", async () => {
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  const request = new Request("http://localhost/x", {
    method: "POST",
    body: endless,
    headers: { "content-type": "application/json", "content-length": "2" },
    duplex: "half",
  } as RequestInit);
  await expect(readJson(request, 2 ** 20)).rejects.toMatchObject({ code: "too_large" });
  expect(pulled).toBeLessThan(20);
});

test.each([
  ["/api/tools", {}, "/api/tools"],
  ["/api/t%6Fols", {}, "/api/tools"],
  ["/skills/data-analysis", { name: "data-analysis" }, "/skills/[name]"],
  ["/artifacts/0198/a%20plot.png", { id: "0198", name: "a plot.png" }, "/artifacts/[id]/[name]"],
  ["/api/x/y/z", { path: ["x", "y", "z"] }, "/api/[path]/[path]/[path]"],
  ["/api/skills/%ff", { name: "%ff" }, "/api/skills/[name]"],
  ["/elsewhere", { name: "not-in-it" }, "other"],
])("%s is counted as %3$s", (path, params, expected) => {
  expect(routeName(path, params)).toBe(expected);
});
