// What a server does with the sandboxes that an earlier one left: those with an owner are kept as they are, warm
// ones go back to the pool, and what belongs to nobody is swept. Workspaces without a record are only reported:
// they mean a lost database, and are the last copy of somebody's files. A container that works on files of another
// directory is never taken, and stops the start.

import type { ContainerView } from "../docker/container.ts";
import type { Engine } from "../docker/engine.ts";
import { type Found, survey } from "../docker/survey.ts";
import type { Workspaces } from "../docker/workspace.ts";
import { EngineError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Ownership, SandboxRecord } from "../ownership.ts";

export type Adoption = {
  owned: { record: SandboxRecord; found: ContainerView }[];
  /** Unowned, running and of the current image. Withdrawn from claiming until they are offered again. */
  warm: { record: SandboxRecord; found: ContainerView }[];
};

type AdoptOptions = {
  engine: Engine;
  ownership: Ownership;
  workspaces: Workspaces;
  installation: string;
  image: string;
  log: Logger;
};

export async function adopt(options: AdoptOptions): Promise<Adoption> {
  const { engine, ownership, workspaces, installation, image, log } = options;
  const all = await survey(engine, installation);
  const abandoned = await requireOwnWorkspaces(all);
  for (const found of abandoned) await removeContainer(found);
  const containers = all.filter((found) => !abandoned.has(found));
  const bySandbox = new Map(containers.map((container) => [container.sandboxId, container]));
  const records = await ownership.list();
  const adoption: Adoption = { owned: [], warm: [] };

  for (const record of records) {
    const found = bySandbox.get(record.id);
    const view: ContainerView = found ?? { state: "absent", image: undefined };
    const unowned = record.userId === null && (await ownership.withdraw(record.id));
    if (!unowned) adoption.owned.push({ record, found: view });
    else if (view.state === "running" && view.image === image) adoption.warm.push({ record, found: view });
    else await sweepUnowned(record, found);
  }
  const known = new Set(records.map((record) => record.id));
  for (const found of containers) {
    if (found.sandboxId === undefined || !known.has(found.sandboxId)) await removeContainer(found);
  }
  await reportStrayWorkspaces(known);
  const awake = [...adoption.owned, ...adoption.warm].filter(({ found }) => isAwake(found));
  await workspaces.detachOthers(new Set(awake.map(({ record }) => record.id)));
  return adoption;

  /** Resolves to those whose files are gone, with a directory that was moved say. */
  async function requireOwnWorkspaces(found: Found[]): Promise<Set<Found>> {
    const gone = new Set<Found>();
    for (const container of found) {
      const { sandboxId, workspace } = container;
      if (sandboxId === undefined || workspace === undefined) continue;
      const whose = await workspaces.whose(sandboxId, workspace);
      if (whose === "nobody's") gone.add(container);
      if (whose !== "another's") continue;
      throw new EngineError(
        "engine_failed",
        `The container of sandbox ${sandboxId} works on ${workspace}, which isn't this installation's: end whatever uses it.`,
      );
    }
    return gone;
  }

  async function sweepUnowned(record: SandboxRecord, found: Found | undefined): Promise<void> {
    if (found) await removeContainer(found);
    await workspaces.remove(record.id);
    await ownership.remove(record.id);
  }

  async function removeContainer({ containerId, role, sandboxId }: Found): Promise<void> {
    log.info({ container: containerId, role, sandbox: sandboxId }, "Removing a container that nobody owns");
    const container = engine.docker.getContainer(containerId);
    await engine.call((abortSignal) => container.remove({ force: true, abortSignal }), {
      toleratedCodes: [404],
    });
  }

  async function reportStrayWorkspaces(known: Set<string>): Promise<void> {
    const strays = (await workspaces.list()).filter((id) => !known.has(id));
    if (strays.length > 0) log.warn({ workspaces: strays }, "Workspaces without an owner are left alone");
  }
}

function isAwake({ state }: ContainerView): boolean {
  return state === "running" || state === "paused";
}
