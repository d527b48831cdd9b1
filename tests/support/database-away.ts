import { rename } from "node:fs/promises";
import path from "node:path";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import type { Cove } from "./cove.ts";
import { administer } from "./postgres.ts";

/** Hides a Cove's embedded Postgres and ends every connection to it; the function it resolves to brings it back. */
export async function takeDatabaseAway({ dataDir }: Cove): Promise<() => Promise<void>> {
  const url = new URL((await embeddedPostgresUrl(dataDir)) ?? "");
  const here = url.searchParams.get("host") ?? "";
  const away = path.join(path.dirname(here), "away");
  await rename(here, away);
  url.searchParams.set("host", away);
  await administer(
    url.href,
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'cove'",
  );
  return () => rename(away, here);
}
