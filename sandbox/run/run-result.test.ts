import { expect, test } from "vitest";
import { readPythonOutcome } from "./run-result.ts";

test.each(["", "a\0b", "../x", "a b", "x".repeat(65)])("no session is called %j", (session) => {
  expect(() => readPythonOutcome({ session, restarted: false })).toThrow(
    expect.objectContaining({ code: "protocol_violation" }),
  );
});
