// Every user's sandbox, by user id. This is what the rest of a program holds; what engine is
// behind it shows only in the options.

import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordedDenial } from "./egress/denial-log.ts";
import { openEgress } from "./egress/open-egress.ts";
import { presetEnvironment } from "./egress/presets.ts";
import { writeTrustFiles } from "./egress/trust-files.ts";
import type { MachineView, Quota } from "./engine/engine.ts";
import { EngineError, SandboxError } from "./errors.ts";
import { fairQueue } from "./lifecycle/fair-queue.ts";
import { housekeeping } from "./lifecycle/housekeeping.ts";
import type { Keeper, KeeperOptions } from "./lifecycle/keeper.ts";
import { openKeepers } from "./lifecycle/keepers.ts";
import { softQuota } from "./lifecycle/soft-quota.ts";
import { type SandboxesOptions, withDefaults } from "./options.ts";
import type { SandboxRecord } from "./ownership.ts";
import { queuePerKey } from "./queue.ts";
import { listProcesses, type ProcessList } from "./run/processes.ts";
import { Sandbox } from "./sandbox.ts";
import type { SandboxInfo } from "./types.ts";

export interface Sandboxes {
  readonly quota: Quota;
  /** The user's own sandbox, made or claimed if they have none. It wakes when it is used. */
  open(userId: string): Promise<Sandbox>;
  /** The same if it was opened before, without asking anybody. */
  opened(userId: string): Sandbox | undefined;
  status(userId: string): Promise<SandboxStatus | undefined>;
  /** How it is right now. Looking neither makes nor wakes it, and doesn't keep it from resting. */
  glance(userId: string, options?: { processes?: boolean }): Promise<SandboxGlance | undefined>;
  /** What the network policy refused to the user since then. */
  denials(userId: string, sinceMs: number): RecordedDenial[];
  /** What every sandbox may reach from now on, besides what its mode allows. */
  allowHosts(entries: readonly string[]): void;
  list(): Promise<SandboxStatus[]>;
  /** How many executions run at this moment, and how many wait for a place. */
  queue(): { running: number; waiting: number };
  /** Frees the memory; the workspace stays, and the next command starts it again. */
  stop(userId: string): Promise<void>;
  /** A new machine on the same workspace. */
  reset(userId: string): Promise<void>;
  /** The user's files as one tar without owners. Resolves to whether they have a sandbox at all. */
  pack(userId: string, to: Writable): Promise<boolean>;
  /** Fills the workspace of a user, who has a sandbox, from such a tar. */
  unpack(userId: string, archive: Readable): Promise<void>;
  /** Removes everything of the user's, the workspace too. */
  destroy(userId: string): Promise<void>;
  /** `stop` removes all machines and keeps the workspaces; `keep` leaves them running for the next server. */
  close(mode?: "stop" | "keep"): Promise<void>;
}

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
type SandboxGlance = {
  state: SandboxStatus["state"];
  info?: SandboxInfo;
  processes?: ProcessList;
};

/** An answer that takes longer than this says that it is busy, and nobody waits for that. */
const GLANCE_MS = 2_000;

export async function openSandboxes(settings: SandboxesOptions): Promise<Sandboxes> {
  const options = withDefaults(settings);
  const { image, ownership, log, observer } = options;
  const trust = join(options.dataDir, "trust");
  const trusts = await writeTrustFiles(trust, options.presets.ca);
  const engine = await options.engine.open({
    ...options,
    folders: { ...options.folders, ...(trusts && { trust }) },
    environment: presetEnvironment(options.presets, trusts ? "/opt/cove/trust" : undefined),
  });
  const { machines, workspaces } = engine;
  const egress =
    "serve" in options.egress ? options.egress : openEgress({ log, observer, ...options.egress });
  const keeper: KeeperOptions = {
    engine,
    image,
    enginePatienceMs: options.enginePatienceMs,
    keepResultsMs: options.idle.keepResultsMs,
    pipe: options.pipe,
    log,
    observer,
  };
  const keepers = await openKeepers({
    ...options,
    keeper,
    onConnection: (userId, stream) => void egress.serve(userId, stream),
  });
  const queue = fairQueue(options.concurrency);
  const quota = softQuota(workspaces, options.disk.bytes, log);
  const chores = [keepers.replaceBroken, () => engine.refreshShared(), () => quota.watch(keepers.owned())];
  const house = housekeeping(options.idle, keepers.owned, chores, log);
  const opened = new Map<string, Sandbox>();
  const inOrder = queuePerKey();
  let closed = false;

  async function open(userId: string): Promise<Sandbox> {
    if (closed) throw new SandboxError("closed", "The server is shutting down.");
    const find = async () => opened.get(userId) ?? remember(userId, await keepers.claim(userId));
    return opened.get(userId) ?? inOrder(userId, find);
  }

  function remember(userId: string, keeper: Keeper): Sandbox {
    const sandbox = new Sandbox({
      id: keeper.id,
      use: (work) => keeper.use(work),
      observer,
      admit: (signal) => queue.enter(userId, signal),
      wouldWait: () => queue.wouldWait(userId),
      started: () => keeper.state === "running" || keeper.state === "paused",
      requireRoom: async () => {
        await workspaces.requireRoom();
        await quota.requireRoom(keeper);
      },
      denials: (sinceMs) => egress.denials(userId, sinceMs),
      onUnresponsive: () => void keeper.restart(),
      ...(options.execution && { limits: options.execution }),
    });
    opened.set(userId, sandbox);
    return sandbox;
  }

  async function status(userId: string): Promise<SandboxStatus | undefined> {
    const record = await ownership.find(userId);
    return record && statusOf(record, await machines.look(record.id));
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

  async function list(): Promise<SandboxStatus[]> {
    const [records, listed] = await Promise.all([ownership.list(), machines.list()]);
    const views = new Map(listed.map((machine) => [machine.sandboxId, machine]));
    return records.map((record) => statusOf(record, views.get(record.id)));
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

  async function stop(userId: string): Promise<void> {
    await (await keepers.find(userId))?.stop();
  }

  async function reset(userId: string): Promise<void> {
    await (await keepers.find(userId))?.removeMachine();
  }

  async function pack(userId: string, to: Writable): Promise<boolean> {
    const keeper = await keepers.find(userId);
    await keeper?.withWorkspace(() => workspaces.pack(keeper.id, to));
    return keeper !== undefined;
  }

  async function unpack(userId: string, archive: Readable): Promise<void> {
    const record = await ownership.find(userId);
    if (!record) throw new SandboxError("not_found", "There is no sandbox to fill.");
    await keepers.keeperOf(record).withWorkspace(() => workspaces.unpack(record, archive));
  }

  function destroy(userId: string): Promise<void> {
    opened.delete(userId);
    return inOrder(userId, async () => {
      const keeper = await keepers.find(userId);
      opened.delete(userId);
      if (!keeper) return;
      await keepers.destroy(keeper);
      quota.forget(keeper.id);
    });
  }

  async function close(mode: "stop" | "keep" = "stop"): Promise<void> {
    closed = true;
    await house.close();
    await keepers.close(mode);
    if (egress !== options.egress) egress.close();
  }

  return {
    quota: workspaces.quota,
    open,
    opened: (userId) => opened.get(userId),
    status,
    glance,
    denials: egress.denials,
    allowHosts: egress.allow,
    list,
    queue: queue.length,
    stop,
    reset,
    pack,
    unpack,
    destroy,
    close,
  };
}

/** What comes of `work`, or of its silence. */
function soon<T, S>(work: Promise<T>, silence: () => S): Promise<T | S> {
  return Promise.race([work, sleep(GLANCE_MS, undefined, { ref: false }).then(silence)]);
}

function engineIsSilent(): never {
  throw new EngineError("engine_unavailable", "The container engine takes too long to answer.");
}
