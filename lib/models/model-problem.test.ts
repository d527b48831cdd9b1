import { APICallError, RetryError } from "ai";
import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { modelProblem } from "./model-problem.ts";

const KEY = "sk-very-secret-0123456789abcdef";

function refusal(statusCode: number): APICallError {
  return new APICallError({
    message: `Wrong key: ${KEY}`,
    url: `https://provider.example/?key=${KEY}`,
    requestBodyValues: { key: KEY },
    statusCode,
    responseBody: `{"error": "${KEY}"}`,
    cause: Object.assign(new Error(`socket of ${KEY}`), { code: "ECONNRESET" }),
  });
}

test.each([200, 400, 401, 403, 404, 413, 429, 500, 503])(
  "what a provider says with %s reaches neither the person nor the log, which learns the kind",
  (status) => {
    const lines: string[] = [];
    const log = createLog("debug", { write: (line) => lines.push(line) });
    const errors = [
      refusal(status),
      new RetryError({ message: KEY, reason: "maxRetriesExceeded", errors: [refusal(status)] }),
    ];
    for (const error of errors) log.warn({ err: modelProblem(error, "openai") }, "a model failed");
    expect(lines.join()).not.toContain(KEY);
    expect(lines.join()).toContain(`AI_APICallError ${status}, caused by Error ECONNRESET`);
  },
);

test.each([
  [401, "bad_request", /refused the API key/],
  [404, "bad_request", /does not know this model/],
  [429, "rate_limited", /limits how often/],
  [500, "unavailable", /failed \(500\)/],
  [200, "unavailable", /broke off/],
] as const)("%s is %s", (status, code, sentence) => {
  expect(modelProblem(refusal(status), "openai")).toMatchObject({
    code,
    message: expect.stringMatching(sentence),
  });
});
