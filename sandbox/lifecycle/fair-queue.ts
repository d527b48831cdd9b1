// Decides who may run next. Each user may run a few things at once and have some more waiting; when the
// whole server is busy, they are served in rotation, so one with a hundred calls never holds up one with a single call.

import { LimitError } from "../errors.ts";

export type FairQueueOptions = { perUser: number; total: number; waitingPerUser: number };
export type Release = () => void;

type Waiter = { admit: (release: Release) => void };
type UserCalls = { running: number; waiting: Waiter[] };

export function fairQueue({ perUser, total, waitingPerUser }: FairQueueOptions) {
  /** Insertion order is the order of service: who was served goes to the end. */
  const users = new Map<string, UserCalls>();
  let running = 0;

  /** Resolves to the function that gives the place back. Rejects at once when too many of the user's wait. */
  function enter(userId: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const calls = users.get(userId) ?? { running: 0, waiting: [] };
    users.set(userId, calls);
    if (calls.running < perUser && running < total && calls.waiting.length === 0) {
      return Promise.resolve(start(userId, calls));
    }
    if (calls.waiting.length >= waitingPerUser) {
      forgetIfGone(userId, calls);
      const message = `${perUser} executions are running and ${waitingPerUser} are waiting: try again in a moment.`;
      return Promise.reject(new LimitError("queue_full", message, { retryAfterMs: 1000 }));
    }
    return wait(userId, calls, signal);
  }

  function wait(userId: string, calls: UserCalls, signal?: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        calls.waiting.splice(calls.waiting.indexOf(waiter), 1);
        forgetIfGone(userId, calls);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        admit(release) {
          signal?.removeEventListener("abort", leave);
          resolve(release);
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      calls.waiting.push(waiter);
    });
  }

  function start(userId: string, calls: UserCalls): Release {
    calls.running++;
    running++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      calls.running--;
      running--;
      admitNext();
      forgetIfGone(userId, calls);
    };
  }

  function forgetIfGone(userId: string, calls: UserCalls): void {
    if (calls.running === 0 && calls.waiting.length === 0) users.delete(userId);
  }

  function admitNext(): void {
    for (const [userId, calls] of users) {
      if (running >= total) return;
      if (calls.running >= perUser) continue;
      const waiter = calls.waiting.shift();
      if (!waiter) continue;
      users.delete(userId);
      users.set(userId, calls);
      waiter.admit(start(userId, calls));
      return;
    }
  }

  /** Whether the user's next execution would have to wait for a place now. */
  function wouldWait(userId: string): boolean {
    const calls = users.get(userId);
    return (
      running >= total || (calls !== undefined && (calls.running >= perUser || calls.waiting.length > 0))
    );
  }

  return {
    enter,
    wouldWait,
    running: () => running,
    /** How many users run something or wait. */
    users: () => users.size,
    length: () => ({
      running,
      waiting: [...users.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
    }),
  };
}
