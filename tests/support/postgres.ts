// Real Postgres for the tests of `db` and `lib`: the embedded one, or the one in COVE_TEST_DATABASE_URL. The tables are made
// once, in a template; each test file gets a copy of its own (see own-database.ts).
import pg from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "#db/client.ts";
import { startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { removeInstallation } from "./cove.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export const TEMPLATE = "cove_test_template";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.COVE_TEST_DATABASE_URL;
  const dataDir = given ? undefined : await temporaryDirectory();
  const embedded = dataDir ? await startEmbeddedPostgres(dataDir) : undefined;
  const url = given ?? embedded?.url ?? "";
  await makeTemplate(url);
  project.provide("postgresUrl", url);
  return async () => {
    await embedded?.stop();
    if (dataDir) await removeInstallation(dataDir);
  };
}

async function makeTemplate(url: string): Promise<void> {
  await administer(url, `drop database if exists ${TEMPLATE}`, `create database ${TEMPLATE}`);
  const template = connect(databaseUrl(url, TEMPLATE));
  await migrate(template.db);
  await template.close();
}

export async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
