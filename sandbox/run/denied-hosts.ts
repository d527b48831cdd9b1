// Which denials belong to an execution: those of its sandbox since it began. Whatever else runs in the sandbox at the
// same time is told apart by nobody, because nobody inside could be believed about it.

import type { RecordedDenial } from "../egress/denial-log.ts";
import type { DeniedHost } from "../types.ts";

/** An execution that goes on for long may be asked about again and again, but not without end. */
const MOST_REMEMBERED = 1000;

export function deniedHosts(denials: (sinceMs: number) => RecordedDenial[]) {
  const beginnings = new Map<string, number>();

  /** An execution begins when it is first named here. */
  return function during(executionId: string): () => DeniedHost[] {
    const since = beginnings.get(executionId) ?? Date.now();
    beginnings.set(executionId, since);
    const oldest = beginnings.keys().next().value;
    if (beginnings.size > MOST_REMEMBERED && oldest !== undefined) beginnings.delete(oldest);
    return () => denials(since).map(({ host, port, reason, message }) => ({ host, port, reason, message }));
  };
}
