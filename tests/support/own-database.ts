import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { connect, type DatabaseClient } from "#db/client.ts";
import { provideDatabase } from "#lib/database.ts";
import { administer, databaseUrl, TEMPLATE } from "./postgres.ts";

/** A database for this test file alone, with all tables and no rows. Use-cases under test find it by themselves. */
export function ownDatabase(): { client: DatabaseClient; url: string } {
  const name = `cove_test_${randomUUID().replaceAll("-", "")}`;
  const own = { url: "" } as { client: DatabaseClient; url: string };
  beforeAll(async () => {
    await administer(inject("postgresUrl"), `create database ${name} template ${TEMPLATE}`);
    own.url = databaseUrl(inject("postgresUrl"), name);
    own.client = connect(own.url);
    provideDatabase(own.client);
  });
  afterAll(async () => {
    await own.client.close();
    await administer(inject("postgresUrl"), `drop database ${name}`);
  });
  return own;
}
