// People put straight into a running Cove's database: what a test is about is seldom how its person got an account.
import { createHash, randomBytes } from "node:crypto";
import { connect, type DatabaseClient } from "#db/client.ts";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { insertToken } from "#db/queries/tokens.ts";
import { insertUser } from "#db/queries/users.ts";
import { hashPassword } from "#lib/accounts/password.ts";

const clients = new Map<string, Promise<DatabaseClient>>();

/** Gives back the id. */
export async function addPerson(
  dataDir: string,
  person: { email: string; name: string; password: string },
): Promise<string> {
  const { db } = await databaseOf(dataDir);
  const { password, ...rest } = person;
  const user = await insertUser(db, { ...rest, passwordHash: await hashPassword(password) });
  if (!user) throw new Error(`${person.email} has an account already.`);
  return user.id;
}

/** Gives back the token itself. */
export async function addToken(dataDir: string, userId: string, name = "test"): Promise<string> {
  const { db } = await databaseOf(dataDir);
  const token = `cove_${randomBytes(32).toString("base64url")}`;
  const hash = createHash("sha256").update(token).digest();
  await insertToken(db, { userId, name, hash, prefix: token.slice(0, 11) });
  return token;
}

/** The database of a Cove that runs on its embedded Postgres, connected once per process. */
export function databaseOf(dataDir: string): Promise<DatabaseClient> {
  const known = clients.get(dataDir);
  if (known) return known;
  const opened = embeddedPostgresUrl(dataDir).then((url) => {
    if (!url) throw new Error(`No Cove runs on ${dataDir}.`);
    // A Cove that ends takes its Postgres along; the next query says so to whoever asks.
    return connect(url, { onError: () => undefined });
  });
  clients.set(dataDir, opened);
  return opened;
}
