// Who owns which sandbox. The lifecycle asks here and nowhere else, so that a database can answer
// (each method is one SQL statement) and the package still works alone, in memory.

import { LimitError } from "./errors.ts";

export type SandboxRecord = {
  id: string;
  /** Numeric user and group of everything in the sandbox; no two sandboxes share one. */
  uid: number;
  /** Nobody's while it is warm in the pool. */
  userId: string | null;
};

export type UidRange = { first: number; last: number };

export interface Ownership {
  /** Add a sandbox with the lowest free uid; it is `userId`'s, or nobody's and not yet claimable. */
  create(id: string, uids: UidRange, userId: string | null): Promise<SandboxRecord>;
  /** Let an unowned sandbox be claimed. */
  offer(id: string): Promise<void>;
  /** Atomically make one offered sandbox the user's. A user who has one gets that; undefined if none is offered. */
  claim(userId: string): Promise<SandboxRecord | undefined>;
  find(userId: string): Promise<SandboxRecord | undefined>;
  /** Take unowned sandboxes back from being claimable, as a new server does before it looks at them. */
  withdraw(id: string): Promise<boolean>;
  list(): Promise<SandboxRecord[]>;
  remove(id: string): Promise<void>;
}

/** Thrown by `create` when the user already has a sandbox, which happens when two servers race. */
export class AlreadyOwned extends Error {
  override name = "AlreadyOwned";
}

/** `earlier` are records of an earlier life, kept elsewhere. */
export function memoryOwnership(earlier: SandboxRecord[] = []): Ownership {
  const records = new Map(earlier.map((record) => [record.id, { ...record }]));
  const offered = new Set<string>();
  const ofUser = (userId: string) => [...records.values()].find((record) => record.userId === userId);

  return {
    async create(id, uids, userId) {
      if (userId !== null && ofUser(userId)) throw new AlreadyOwned(`User ${userId} already has a sandbox.`);
      const record = { id, uid: lowestFree(uids, records.values()), userId };
      records.set(id, record);
      return { ...record };
    },

    async offer(id) {
      if (records.get(id)?.userId === null) offered.add(id);
    },

    async claim(userId) {
      const own = ofUser(userId);
      if (own) return { ...own };
      const [id] = offered;
      const record = id === undefined ? undefined : records.get(id);
      if (!record) return undefined;
      offered.delete(record.id);
      record.userId = userId;
      return { ...record };
    },

    async find(userId) {
      const record = ofUser(userId);
      return record && { ...record };
    },

    async withdraw(id) {
      offered.delete(id);
      return records.get(id)?.userId === null;
    },

    async list() {
      return [...records.values()].map((record) => ({ ...record }));
    },

    async remove(id) {
      records.delete(id);
      offered.delete(id);
    },
  };
}

/** For every `Ownership` that runs out of uids. */
export function noUidLeft({ first, last }: UidRange): LimitError {
  const many = last - first + 1;
  return new LimitError(
    "too_many_sandboxes",
    `All ${many} uids from ${first} to ${last} are taken by sandboxes: ask the operator to remove some.`,
  );
}

function lowestFree({ first, last }: UidRange, records: Iterable<SandboxRecord>): number {
  const takenUids = new Set(Array.from(records, (record) => record.uid));
  for (let uid = first; uid <= last; uid++) if (!takenUids.has(uid)) return uid;
  throw noUidLeft({ first, last });
}
