// A new id for an installation that turned out to be a copy: from then on it and the original run side by side.
import path from "node:path";
import { v7 as uuid } from "uuid";
import { findInstallation, renameInstallation } from "#db/queries/installation.ts";
import { listSandboxes } from "#db/queries/sandboxes.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { engine } from "../engine.ts";
import { takeInstallation } from "./own-installation.ts";

export interface RenewOptions {
  dataDir: string;
  /** The sandbox image, made if need be. */
  image: () => Promise<string>;
}

/** The caller holds the installation's lock. */
export async function renewInstallation({ dataDir, image }: RenewOptions) {
  const installation = await findInstallation(db());
  if (!installation)
    throw new AppError("conflict", "This installation has never been started: it has no id yet.");
  const to = uuid();
  const rows = await listSandboxes(db());
  const renamed = rows.map(({ id, uid }) => ({ id, uid, newId: uuid() }));
  const disks = path.join(dataDir, "sandboxes");
  const workspaces = await engine().renewWorkspaces(renamed, {
    from: installation.id,
    to,
    dataDir: disks,
    image,
  });
  await renameInstallation(db(), to, renamed);
  await workspaces.forget();
  await takeInstallation(to);
  return { installation: to, before: installation.id, workspaces: renamed.length };
}
