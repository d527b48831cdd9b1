// Decides who may run next. Each user may run a few things at once and have some more waiting; when the
// whole server is busy, they are served in rotation, so one with a hundred calls never holds up one with a single call.

import { LimitError } from "../errors.ts";

export type FairQueueOptions = { perUser: number; total: number; waitingPerUser: number };
export type Release = () => void;

type Waiter = { admit: (release: Release) => void };
type Party = { running: number; waiting: Waiter[] };

export function fairQueue({ perUser, total, waitingPerUser }: FairQueueOptions) {
  /** Insertion order is the order of service: who was served goes to the end. */
  const parties = new Map<string, Party>();
  let running = 0;

  /** Resolves to the function that gives the place back. Rejects at once when too many of the user's wait. */
  function enter(userId: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const party = parties.get(userId) ?? { running: 0, waiting: [] };
    parties.set(userId, party);
    if (party.running < perUser && running < total && party.waiting.length === 0) {
      return Promise.resolve(start(userId, party));
    }
    if (party.waiting.length >= waitingPerUser) {
      forgetIfGone(userId, party);
      const message = `${perUser} executions are running and ${waitingPerUser} are waiting: try again in a moment.`;
      return Promise.reject(new LimitError("queue_full", message, { retryAfterMs: 1000 }));
    }
    return wait(userId, party, signal);
  }

  function wait(userId: string, party: Party, signal?: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        party.waiting.splice(party.waiting.indexOf(waiter), 1);
        forgetIfGone(userId, party);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        admit(release) {
          signal?.removeEventListener("abort", leave);
          resolve(release);
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      party.waiting.push(waiter);
    });
  }

  function start(userId: string, party: Party): Release {
    party.running++;
    running++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      party.running--;
      running--;
      admitNext();
      forgetIfGone(userId, party);
    };
  }

  function forgetIfGone(userId: string, party: Party): void {
    if (party.running === 0 && party.waiting.length === 0) parties.delete(userId);
  }

  function admitNext(): void {
    for (const [userId, party] of parties) {
      if (running >= total) return;
      if (party.running >= perUser) continue;
      const waiter = party.waiting.shift();
      if (!waiter) continue;
      parties.delete(userId);
      parties.set(userId, party);
      waiter.admit(start(userId, party));
      return;
    }
  }

  /** Whether the user's next execution would have to wait for a place now. */
  function wouldWait(userId: string): boolean {
    const party = parties.get(userId);
    return (
      running >= total || (party !== undefined && (party.running >= perUser || party.waiting.length > 0))
    );
  }

  return {
    enter,
    wouldWait,
    running: () => running,
    /** How many users run something or wait. */
    users: () => parties.size,
    length: () => ({
      running,
      waiting: [...parties.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
    }),
    runningOf: (userId: string) => parties.get(userId)?.running ?? 0,
  };
}
