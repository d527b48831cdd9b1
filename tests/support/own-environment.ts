// Variables that one file of tests needs otherwise than the others: files share a process.
import { afterAll } from "vitest";
import { forgetEnv } from "#env.ts";

/** Until the file is over. */
export function setVariables(variables: Record<string, string>): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  forgetEnv();
  afterAll(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    forgetEnv();
  });
}
