// How the history keeps words and times: what its queries and those that write it have in common.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** All of the words, each as the beginning of one. They are letters and digits only (see lib/executions/searchable.ts). */
export function wordQuery(words: string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "''").replaceAll("\\", "\\\\")}':*`).join(" & ");
}

/** The day a time belongs to, in UTC. */
export function dayOf(time: SQLWrapper): SQL<string> {
  return sql<string>`(${time} at time zone 'UTC')::date`;
}

/** The smallest id a row of that moment can have: ids are UUIDv7 and begin with their time. */
export function idAt(time: Date): string {
  const hex = Math.max(0, Math.min(time.getTime(), 2 ** 48 - 1))
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
}
