// People with tokens who call a Cove.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { type Cove, startCove } from "./cove.ts";
import { jsonRequest } from "./json-request.ts";
import { addPerson, addToken } from "./people.ts";

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

/** A Cove for this file of tests; while working on it, one that runs already: `COVE_DOORS_URL` and `COVE_DOORS_DATA_DIR`. */
export function ownCove(overrides: Record<string, string> = {}) {
  const own = {} as { cove: Cove; caller(): Promise<Caller> };
  beforeAll(async () => {
    own.cove = await (running() ?? startCove(overrides));
    own.caller = () => newCaller(own.cove);
  });
  afterAll(() => own.cove.stop());
  return own;
}

function running(): Promise<Cove> | undefined {
  const { COVE_DOORS_URL: url, COVE_DOORS_DATA_DIR: dataDir } = process.env;
  return url && dataDir ? Promise.resolve({ url, dataDir, stop: async () => 0 } as Cove) : undefined;
}

/** Somebody new with a token. */
export async function newCaller({ dataDir, url }: Pick<Cove, "dataDir" | "url">): Promise<Caller> {
  const email = `${randomUUID()}@example.com`;
  const id = await addPerson(dataDir, { email, name: "Somebody", password: "a long password" });
  return callerWith(url, email, await addToken(dataDir, id));
}

/** The same person at another address: a Cove that was started again. */
export function callerWith(url: string, email: string, token: string): Caller {
  return { email, token, execute: (name, args, headers) => execute(url, token, name, args, headers) };
}

async function execute(url: string, token: string, name: string, args: object = {}, headers: object = {}) {
  const response = await fetch(`${url}/execute`, jsonRequest(token, { name, arguments: args }, headers));
  return { status: response.status, body: await response.json() };
}
