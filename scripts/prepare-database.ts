// Brings the database up to date, in a process of its own: the launcher stays small while the server runs. Prints the code of
// the first account, if it needs one.
import { connect } from "#db/client.ts";
import { takeInstallationLock } from "#db/installation-lock.ts";
import { installationName } from "#db/installation-name.ts";
import { migrate } from "#db/migrate.ts";
import { env } from "#env.ts";
import { firstAccountCode } from "#lib/accounts/first-account.ts";
import { provideDatabase } from "#lib/database.ts";
import { openInstallation } from "#lib/installation.ts";
import { requireOwnInstallation } from "#lib/sandboxes/own-installation.ts";
import { describeDatabaseFailure } from "./database-failure.ts";
import { fail } from "./steps.ts";

const PATIENCE_MS = 30_000;

const { DATABASE_URL, AUTH_SECRET, COVE_DATA_DIR } = env();
if (!DATABASE_URL || !AUTH_SECRET) fail("DATABASE_URL and AUTH_SECRET must be set here.");

try {
  const lock = await takeInstallationLock(DATABASE_URL, { patienceMs: PATIENCE_MS, onLost: () => undefined });
  if (!lock)
    throw new Error(
      "Another Cove server owns this installation and did not end within 30 s. Nothing was touched.",
    );
  const client = connect(DATABASE_URL);
  provideDatabase(client);
  await migrate(client.db);
  const { id } = await openInstallation(AUTH_SECRET, await installationName(COVE_DATA_DIR));
  // Before a server looks for its sandboxes: those of a copy would be another's.
  await requireOwnInstallation(id);
  const code = await firstAccountCode();
  if (code) process.stdout.write(`${code}\n`);
  await client.close();
  await lock.release();
} catch (error) {
  fail(describeDatabaseFailure(error, DATABASE_URL));
}
