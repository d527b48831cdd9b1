// How sandboxes are, for whoever looks: that neither makes nor wakes one, and keeps none from resting.

import { setTimeout as sleep } from "node:timers/promises";
import type { Machines, MachineView } from "./engine/engine.ts";
import { EngineError } from "./errors.ts";
import type { Keepers } from "./lifecycle/keepers.ts";
import type { Ownership, SandboxRecord } from "./ownership.ts";
import { listProcesses, type ProcessList } from "./run/processes.ts";
import type { SandboxInfo } from "./types.ts";

export type SandboxStatus = {
  id: string;
  userId: string | null;
  state: "warm" | "active" | "paused" | "stopped";
  inFlight: number;
  lastUsed: Date;
  /** Made from an older image; it is replaced when it is idle. */
  outdated: boolean;
};

/** Of one that rests there is nothing but its state. */
export type SandboxGlance = {
  state: SandboxStatus["state"];
  info?: SandboxInfo;
  processes?: ProcessList;
};

export type StatusOptions = {
  ownership: Ownership;
  machines: Machines;
  keepers: Keepers;
  /** The image that new machines are made from. */
  image: string;
};

/** An answer that takes longer than this says that it is busy, and nobody waits for that. */
const GLANCE_MS = 2_000;

export function sandboxStatus({ ownership, machines, keepers, image }: StatusOptions) {
  async function status(userId: string): Promise<SandboxStatus | undefined> {
    const record = await ownership.find(userId);
    return record && statusOf(record, await machines.look(record.id));
  }

  async function list(): Promise<SandboxStatus[]> {
    const [records, listed] = await Promise.all([ownership.list(), machines.list()]);
    const views = new Map(listed.map((machine) => [machine.sandboxId, machine]));
    return records.map((record) => statusOf(record, views.get(record.id)));
  }

  async function glance(userId: string, { processes = false } = {}): Promise<SandboxGlance | undefined> {
    const keeper = await keepers.find(userId);
    if (!keeper) return undefined;
    if (keeper.state === "unknown") await soon(keeper.look(), engineIsSilent);
    const state = keeper.state === "running" ? "active" : keeper.state === "paused" ? "paused" : "stopped";
    const ask = keeper.peek(async (pipe) => {
      const [info, listed] = await Promise.all([pipe.info(), processes ? listProcesses(pipe) : undefined]);
      return { info, ...(listed && { processes: listed }) };
    });
    const nothing = () => undefined;
    return { state, ...(await soon(ask.catch(nothing), nothing)) };
  }

  function statusOf(record: SandboxRecord, view?: MachineView): SandboxStatus {
    const keeper = keepers.keeperOf(record);
    const state = view?.state;
    const awake = keepers.isWarm(record.id) ? "warm" : "active";
    return {
      id: record.id,
      userId: record.userId,
      state: state === "running" ? awake : state === "paused" ? "paused" : "stopped",
      inFlight: keeper.inFlight,
      lastUsed: new Date(keeper.lastUsed),
      outdated: view?.image !== undefined && view.image !== image,
    };
  }

  return { status, list, glance };
}

/** What comes of `work`, or of its silence. */
function soon<T, S>(work: Promise<T>, silence: () => S): Promise<T | S> {
  return Promise.race([work, sleep(GLANCE_MS, undefined, { ref: false }).then(silence)]);
}

function engineIsSilent(): never {
  throw new EngineError("engine_unavailable", "The container engine takes too long to answer.");
}
