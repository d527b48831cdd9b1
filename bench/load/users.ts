// People for a load run: each with a token for the doors, a cookie for the pages, and what it knows of its own state.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { insertUser } from "#db/queries/users.ts";
import { hashPassword } from "#lib/accounts/password.ts";
import type { Cove } from "../../tests/support/cove.ts";
import { addToken, databaseOf } from "../../tests/support/people.ts";
import { sessionCookie } from "../../tests/support/session-cookie.ts";
import { send } from "../http.ts";

export interface LoadUser {
  url: string;
  /** In everything this user says: nobody else may ever see it. */
  tag: string;
  token: string;
  cookie: string;
  /** Whether it keeps an interpreter, which takes about 100 MB. */
  python: boolean;
  commands: number;
  cells: number;
  uploaded: Buffer | undefined;
}

const PASSWORD = "a long password";

export async function newUsers(cove: Cove, count: number, withPython: number): Promise<LoadUser[]> {
  const { db } = await databaseOf(cove.dataDir);
  // The same for all: hashing it once for each would be most of the preparation.
  const passwordHash = await hashPassword(PASSWORD);
  return inTurns(
    Array.from({ length: count }, (_, index) => index),
    async (index) => {
      const tag = `u${randomBytes(6).toString("hex")}`;
      const email = `${tag}@example.com`;
      const person = await insertUser(db, { email, name: tag, passwordHash });
      if (!person) throw new Error(`${email} has an account already.`);
      return {
        ...{ url: cove.url, tag, python: index < withPython, commands: 0, cells: 0, uploaded: undefined },
        token: await addToken(cove.dataDir, person.id),
        cookie: await sessionCookie(cove.url, email, PASSWORD),
      };
    },
  );
}

/** The container and everything in it, by the user's own hand. */
export async function deleteSandbox(user: LoadUser): Promise<void> {
  const { status, body } = await send(`${user.url}/api/sandbox/delete`, {
    method: "POST",
    headers: { cookie: user.cookie, "content-type": "application/json" },
    body: JSON.stringify({ confirmation: "delete everything" }),
  });
  if (status === 429) {
    // Whoever flooded has to wait for this, too.
    await sleep(1000);
    return deleteSandbox(user);
  }
  if (status !== 200) throw new Error(`A sandbox was not deleted: ${status} ${body}`);
  Object.assign(user, { uploaded: undefined, cells: 0 });
}

/** All versions of all of them. */
export async function deleteArtifacts({ url, cookie }: LoadUser): Promise<void> {
  const headers = { cookie, "content-type": "application/json" };
  const page = await send(`${url}/api/artifacts?limit=200`, { headers });
  const { items } = JSON.parse(page.body.toString()) as { items: { id: string }[] };
  if (items.length === 0) return;
  const body = JSON.stringify({ ids: items.map(({ id }) => id) });
  const { status } = await send(`${url}/api/artifacts`, { method: "DELETE", headers, body });
  if (status !== 200) throw new Error(`Artifacts were not deleted: ${status}`);
}

/** A few at a time, in order: preparing must not be a load itself. */
export async function inTurns<T, R>(all: T[], work: (one: T) => Promise<R>, atOnce = 4): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++) results[index] = await work(all[index] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
