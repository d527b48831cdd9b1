import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#lib/database.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { connect } from "./client.ts";
import { databaseIdentity } from "./database-identity.ts";

const own = ownDatabase();

test("a database says which one it is, the same each time", async () => {
  const identity = await databaseIdentity(db());
  expect(identity).toEqual({
    system: expect.stringMatching(/^\d{10,}$/),
    database: expect.stringMatching(/^\d+$/),
    placedAt: expect.stringMatching(/^\d{10}$/),
    directory: expect.stringMatching(/^\//),
  });
  expect(await databaseIdentity(db())).toEqual(identity);
});

test("a user without rights says less", async () => {
  const { db, close } = connect(own.url, { max: 1 });
  const role = `limited_${randomUUID().slice(0, 8)}`;
  await db.execute(sql.raw(`create role ${role}`));
  try {
    await db.execute(sql.raw(`set role ${role}`));
    expect(await databaseIdentity(db)).toEqual(expect.not.objectContaining({ placedAt: expect.anything() }));
  } finally {
    await db.execute(sql.raw(`reset role; drop role ${role}`));
    await close();
  }
});
