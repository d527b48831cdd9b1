// What a server does with the sandboxes that an earlier one left: those with an owner are kept as they are, warm
// ones go back to the pool, and what belongs to nobody is swept. Workspaces without a record are only reported:
// they mean a lost database, and are the last copy of somebody's files. A machine that works on files of another
// directory is never taken, and stops the start.

import type { Engine, ListedMachine, MachineView } from "../engine/engine.ts";
import { EngineError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Ownership, SandboxRecord } from "../ownership.ts";

export type Adoption = {
  owned: { record: SandboxRecord; view: MachineView }[];
  /** Unowned, running and of the current image. Withdrawn from claiming until they are offered again. */
  warm: { record: SandboxRecord; view: MachineView }[];
};

type AdoptOptions = {
  engine: Engine;
  ownership: Ownership;
  image: string;
  log: Logger;
};

export async function adopt(options: AdoptOptions): Promise<Adoption> {
  const { engine, ownership, image, log } = options;
  const { machines, workspaces } = engine;
  const all = await machines.list();
  const abandoned = await requireOwnWorkspaces(all);
  for (const machine of abandoned) await remove(machine);
  const listed = all.filter((machine) => !abandoned.has(machine));
  const bySandbox = new Map(listed.map((machine) => [machine.sandboxId, machine]));
  const records = await ownership.list();
  const adoption: Adoption = { owned: [], warm: [] };

  for (const record of records) {
    const machine = bySandbox.get(record.id);
    const view: MachineView = machine ?? { state: "absent", image: undefined };
    const unowned = record.userId === null && (await ownership.withdraw(record.id));
    if (!unowned) adoption.owned.push({ record, view });
    else if (view.state === "running" && view.image === image) adoption.warm.push({ record, view });
    else await sweepUnowned(record, machine);
  }
  const recordedIds = new Set(records.map((record) => record.id));
  for (const machine of listed) {
    if (machine.sandboxId === undefined || !recordedIds.has(machine.sandboxId)) await remove(machine);
  }
  await reportStrayWorkspaces(recordedIds);
  const awake = [...adoption.owned, ...adoption.warm].filter(({ view }) => isAwake(view));
  await workspaces.detachOthers(new Set(awake.map(({ record }) => record.id)));
  return adoption;

  /** Resolves to those whose files are gone, with a directory that was moved say. */
  async function requireOwnWorkspaces(candidates: ListedMachine[]): Promise<Set<ListedMachine>> {
    const withoutFiles = new Set<ListedMachine>();
    for (const machine of candidates) {
      const { sandboxId, workspace } = machine;
      if (sandboxId === undefined || workspace === undefined) continue;
      const whose = await workspaces.whose(sandboxId, workspace);
      if (whose === "nobody's") withoutFiles.add(machine);
      if (whose !== "another's") continue;
      throw new EngineError(
        "engine_failed",
        `The machine of sandbox ${sandboxId} works on ${workspace}, which isn't this installation's: end whatever uses it.`,
      );
    }
    return withoutFiles;
  }

  async function sweepUnowned(record: SandboxRecord, machine: ListedMachine | undefined): Promise<void> {
    if (machine) await remove(machine);
    await workspaces.remove(record.id);
    await ownership.remove(record.id);
  }

  async function remove(machine: ListedMachine): Promise<void> {
    const { name, role, sandboxId } = machine;
    log.info({ machine: name, role, sandbox: sandboxId }, "Removing a machine that nobody owns");
    await machines.removeListed(machine);
  }

  async function reportStrayWorkspaces(recordedIds: Set<string>): Promise<void> {
    const strays = (await workspaces.list()).filter((id) => !recordedIds.has(id));
    if (strays.length > 0) log.warn({ workspaces: strays }, "Workspaces without an owner are left alone");
  }
}

function isAwake({ state }: MachineView): boolean {
  return state === "running" || state === "paused";
}
