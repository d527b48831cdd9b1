import { rename } from "node:fs/promises";
import path from "node:path";
import type { Cove } from "./cove.ts";
import { administer } from "./postgres.ts";

/** Hides a Cove's embedded Postgres and ends every connection to it; the function it resolves to brings it back. */
export async function takeDatabaseAway({ dataDir }: Cove): Promise<() => Promise<void>> {
  const here = path.join(dataDir, "postgres", "socket");
  const away = path.join(dataDir, "postgres", "away");
  await rename(here, away);
  await administer(
    `postgresql://cove@localhost/cove?host=${encodeURIComponent(away)}`,
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'cove'",
  );
  return () => rename(away, here);
}
