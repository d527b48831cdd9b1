import { takeInstallationLock } from "#db/installation-lock.ts";
import { renameInstallationOf } from "#db/installation-name.ts";
import { postgresLiesBeside } from "#db/postgres-place.ts";
import { findInstallation } from "#db/queries/installation.ts";
import { env } from "#env.ts";
import { AppError } from "#lib/app-error.ts";
import { COMMAND_LINE, writeAudit } from "#lib/audit.ts";
import { db } from "#lib/database.ts";
import { engine } from "#lib/engine.ts";
import { takeInstallation } from "#lib/sandboxes/own-installation.ts";
import { renewInstallation } from "#lib/sandboxes/renew-installation.ts";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { parse } from "./parse.ts";

/** For a copy: an id of its own, and its workspaces under names of their own. */
export async function installationRenew(args: string[], url: string) {
  parse(args, [], {});
  const { COVE_DATA_DIR, COVE_SANDBOX_IMAGE, DATABASE_URL, DOCKER_HOST, DOCKER_CERT_PATH } = env();
  return alone(url, async () => {
    const image = async () =>
      COVE_SANDBOX_IMAGE ?? (await ensureImage(connectEngine(DOCKER_HOST, DOCKER_CERT_PATH))).tag;
    const renewed = await renewInstallation({ dataDir: COVE_DATA_DIR, image });
    // Elsewhere the tables are found by the name they were made under.
    if (DATABASE_URL || (await postgresLiesBeside(COVE_DATA_DIR)))
      await renameInstallationOf(COVE_DATA_DIR, renewed.installation);
    await writeAudit(COMMAND_LINE, "installation.renewed", { name: renewed.installation });
    return renewed;
  });
}

/** For a database that was moved or restored where the one before is gone: the id is this one's. */
export async function installationTake(args: string[], url: string) {
  parse(args, [], {});
  return alone(url, async () => {
    const installation = await findInstallation(db());
    if (!installation)
      throw new AppError("conflict", "This installation has never been started: it has no id yet.");
    const states = [...(await engine().machineStates(installation.id)).values()];
    if (states.includes("running") || states.includes("paused"))
      throw new AppError(
        "conflict",
        `Sandboxes of ${installation.id} are running: stop the Cove they belong to first. Nothing was changed.`,
      );
    await takeInstallation(installation.id);
    await writeAudit(COMMAND_LINE, "installation.taken", { name: installation.id });
    return { installation: installation.id };
  });
}

async function alone<T>(url: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeInstallationLock(url, { patienceMs: 0, onLost: () => undefined });
  if (!lock)
    throw new AppError("conflict", "A server runs on this database: stop it first. Nothing was changed.");
  return work().finally(() => lock.release());
}
