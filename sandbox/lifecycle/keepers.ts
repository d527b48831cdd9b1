// The keepers of all sandboxes of an installation, owned and warm: who gets which, and what becomes of those nobody owns.

import type { Duplex } from "node:stream";
import { v7 as uuid } from "uuid";
import type { MachineView } from "../engine/engine.ts";
import type { Logger } from "../logger.ts";
import { AlreadyOwned, type Ownership, type SandboxRecord, type UidRange } from "../ownership.ts";
import { adopt } from "./adopt.ts";
import { Keeper, type KeeperOptions } from "./keeper.ts";
import { warmPool } from "./warm-pool.ts";

/** How long the interpreter of a warm sandbox is kept ready: in the pool, and once it is somebody's. */
const POOLED_MS = 7 * 24 * 3_600_000;
const CLAIMED_MS = 300_000;

export type KeepersOptions = {
  ownership: Ownership;
  uids: UidRange;
  warmPool: number;
  /** Whether those in the pool have a Python interpreter ready. */
  warmPython: boolean;
  keeper: KeeperOptions;
  /** Takes a connection to the outside that code in a user's sandbox opened. */
  onConnection: (userId: string, stream: Duplex) => void;
  log: Logger;
};

export async function openKeepers({
  ownership,
  uids,
  keeper: keeperOptions,
  log,
  ...options
}: KeepersOptions) {
  const { engine, image } = keeperOptions;
  const { workspaces } = engine;
  const keepers = new Map<string, Keeper>();
  const owners = new Map<string, string>();
  const pool = warmPool({ size: options.warmPool, make: makeWarm, offer: (id) => ownership.offer(id), log });

  const adopted = await adopt({ engine, ownership, image, log });
  for (const { record, view } of adopted.owned) keep(record, view);
  for (const { record, view } of adopted.warm) await rewarm(keep(record, view));
  pool.refill();

  /** The user's own sandbox: the one they have, else a warm one, else a new one that is made when it is used. */
  async function claim(userId: string): Promise<Keeper> {
    const record = (await ownership.claim(userId)) ?? (await createFor(userId));
    owners.set(record.id, userId);
    const wasWarm = pool.take(record.id);
    if (wasWarm) keeperOptions.observer.count("warm_claimed");
    if (wasWarm) pool.refillSoon();
    const keeper = keeperOf(record);
    // From here on its interpreter has to be used to be kept.
    if (wasWarm) void warmPython(keeper, CLAIMED_MS);
    return keeper;
  }

  async function createFor(userId: string): Promise<SandboxRecord> {
    await workspaces.requireRoom();
    try {
      const record = await ownership.create(uuid(), uids, userId);
      keeperOptions.observer.count("created");
      return record;
    } catch (error) {
      const record = error instanceof AlreadyOwned ? await ownership.find(userId) : undefined;
      if (!record) throw error;
      return record;
    }
  }

  async function find(userId: string): Promise<Keeper | undefined> {
    const record = await ownership.find(userId);
    return record && keeperOf(record);
  }

  /** The engine isn't asked yet: whoever uses the sandbox waits for one that is being restarted, whoever finds it doesn't. */
  function keeperOf(record: SandboxRecord): Keeper {
    return keepers.get(record.id) ?? keep(record);
  }

  function keep(record: SandboxRecord, view?: MachineView): Keeper {
    if (record.userId !== null) owners.set(record.id, record.userId);
    const onConnection = (stream: Duplex) => carry(record.id, stream);
    const pipe = { ...keeperOptions.pipe, onConnection };
    const keeper = keepers.get(record.id) ?? new Keeper(record, view, { ...keeperOptions, pipe });
    keepers.set(record.id, keeper);
    return keeper;
  }

  /** Whose a sandbox is decides what it may reach; while it is nobody's, that is nothing. */
  function carry(id: string, stream: Duplex): void {
    const owner = owners.get(id);
    if (owner === undefined) stream.destroy();
    else options.onConnection(owner, stream);
  }

  async function makeWarm(): Promise<string> {
    await workspaces.requireRoom();
    const record = await ownership.create(uuid(), uids, null);
    const keeper = keep(record, { state: "absent", image: undefined });
    try {
      await keeper.wake("background");
      await warmPython(keeper, POOLED_MS);
    } catch (error) {
      await destroy(keeper).catch((cause) =>
        log.warn({ sandbox: keeper.id, error: cause }, "Left for the next sweep"),
      );
      throw error;
    }
    return keeper.id;
  }

  /** Puts a warm sandbox of an earlier server back into the pool, if it still answers and there is room. */
  async function rewarm(keeper: Keeper): Promise<void> {
    if (pool.full()) return destroy(keeper);
    try {
      await keeper.wake("background");
      await warmPython(keeper, POOLED_MS);
      await pool.add(keeper.id);
    } catch (error) {
      log.warn({ sandbox: keeper.id, error }, "A warm sandbox doesn't answer any more");
      await destroy(keeper);
    }
  }

  /** A sandbox without a warm interpreter is still a sandbox. */
  async function warmPython(keeper: Keeper, keepMs: number): Promise<void> {
    if (!options.warmPython) return;
    await keeper
      .peek((pipe) => pipe.request({ op: "prewarm", keep_ms: keepMs }))
      .catch((error) => log.warn({ sandbox: keeper.id, error }, "No warm interpreter could be made"));
  }

  async function replaceBroken(): Promise<void> {
    for (const id of pool.ids()) {
      const keeper = keepers.get(id);
      if (!keeper || keeper.connected || !(await ownership.withdraw(id))) continue;
      pool.take(id);
      await destroy(keeper);
    }
    pool.refill();
  }

  /** The record goes last: what is left after a crash is found by it. */
  async function destroy(keeper: Keeper): Promise<void> {
    await keeper.destroy();
    await ownership.remove(keeper.id);
    keepers.delete(keeper.id);
    owners.delete(keeper.id);
  }

  async function close(mode: "stop" | "keep"): Promise<void> {
    await pool.close();
    const part = async (keeper: Keeper) => {
      const disposable = mode === "stop" && pool.take(keeper.id) && (await ownership.withdraw(keeper.id));
      return disposable ? destroy(keeper) : keeper.retire(mode);
    };
    const results = await Promise.allSettled([...keepers.values()].map(part));
    const failures = results.filter((result) => result.status === "rejected");
    if (failures.length > 0)
      log.error({ errors: failures.map(({ reason }) => reason) }, "Some sandboxes were not stopped");
  }

  return {
    claim,
    find,
    keeperOf,
    destroy,
    replaceBroken,
    close,
    isWarm: (id: string) => pool.ids().includes(id),
    owned: () => [...keepers.values()].filter((keeper) => !pool.ids().includes(keeper.id)),
  };
}
