import { connect, countOtherClients } from "#db/client.ts";
import { startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { env } from "#env.ts";
import { provideDatabase } from "#lib/database.ts";
import { describeDatabaseFailure } from "../database-failure.ts";

/** Runs the work with the installation's database, starting the embedded Postgres for the moment if none runs. */
export async function withDatabase<T>(
  work: (url: string) => Promise<T>,
  { migrated = true } = {},
): Promise<T> {
  const { DATABASE_URL, COVE_DATA_DIR } = env();
  const embedded = DATABASE_URL ? undefined : await startEmbeddedPostgres(COVE_DATA_DIR);
  const url = DATABASE_URL ?? embedded?.url ?? "";
  const client = connect(url);
  provideDatabase(client);
  try {
    if (migrated) await migrate(client.db);
    return await work(url);
  } catch (error) {
    throw describeDatabaseFailure(error, url);
  } finally {
    // A server may have started meanwhile and be using it.
    const inUse = embedded?.started && (await countOtherClients(client.db).catch(() => 1)) > 0;
    await client.close();
    if (embedded?.started && !inUse) await embedded.stop();
  }
}
