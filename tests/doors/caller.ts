// A Cove for a file of tests, and people with tokens who call it.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { type Cove, cleanEnv, root, startCove } from "../support/cove.ts";

export interface Caller {
  email: string;
  token: string;
  /** `POST /execute`, and what came back. */
  execute(
    name: string,
    args?: object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Body }>;
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at, field by field.
type Body = any;

export function ownCove(overrides: Record<string, string> = {}) {
  const own = {} as { cove: Cove; caller(): Promise<Caller>; cli(...args: string[]): Promise<string> };
  beforeAll(async () => {
    own.cove = await startCove(overrides);
    own.cli = async (...args) => {
      const env = cleanEnv({ COVE_DATA_DIR: own.cove.dataDir });
      return (
        await promisify(execFile)(process.execPath, ["scripts/cove.ts", ...args], { cwd: root, env })
      ).stdout.trim();
    };
    own.caller = async () => {
      const email = `${randomUUID()}@example.com`;
      await own.cli("user", "add", email, "--password", "a long password");
      const token = await own.cli("token", "create", email, "--name", "test");
      return {
        email,
        token,
        execute: (name, args, headers) => execute(own.cove.url, token, name, args, headers),
      };
    };
  });
  afterAll(() => own.cove.stop());
  return own;
}

async function execute(url: string, token: string, name: string, args: object = {}, headers: object = {}) {
  const response = await fetch(`${url}/execute`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ name, arguments: args }),
  });
  return { status: response.status, body: await response.json() };
}
