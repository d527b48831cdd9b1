// Somebody with everything: an account, a token, a signed-in browser.
import { randomUUID } from "node:crypto";
import { type Caller, callerWith } from "./caller.ts";
import type { Cove } from "./cove.ts";
import { addPerson, addToken } from "./people.ts";
import { sessionCookie } from "./session-cookie.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at, field by field.
type Body = any;

export interface Resident extends Caller {
  id: string;
  cove: Cove;
  /** The `Cookie` header of their browser. */
  cookie: string;
  /** As a page of theirs does; what came back. */
  post(path: string, body: unknown): Promise<Body>;
  /** What goes into `fetch` to read as a page of theirs does. */
  get(path: string): [string, RequestInit];
}

export async function newResident(cove: Cove): Promise<Resident> {
  const person = { email: `${randomUUID()}@example.com`, name: "Somebody", password: "a long password" };
  const id = await addPerson(cove.dataDir, person);
  const token = await addToken(cove.dataDir, id);
  const cookie = await sessionCookie(cove.url, person.email, person.password);
  const post = async (path: string, body: unknown) => {
    const headers = { cookie, "content-type": "application/json" };
    const response = await fetch(cove.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const get = (path: string): [string, RequestInit] => [cove.url + path, { headers: { cookie } }];
  return { ...callerWith(cove.url, person.email, token), id, cove, cookie, post, get };
}
