import { createHash } from "node:crypto";
import type { SearchParams } from "./read-query.ts";

const FILTERS = ["q", "door", "tool", "status", "time", "conversation"];

/** The history's address with other filters, at its first page. */
export function withParams(params: SearchParams, changes: Record<string, string | undefined> = {}): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...pick(params), ...changes }))
    if (typeof value === "string" && value !== "") next.set(name, value);
  const query = next.toString();
  return query ? `/history?${query}` : "/history";
}

/** The page that begins before this run, as long as the filters are the same: others begin with their first page. */
export function pageBefore(params: SearchParams, before: string, thorough: boolean): string {
  return withParams(params, { before, of: filterKey(params), ...(thorough && { thorough: "1" }) });
}

export function filterKey(params: SearchParams): string {
  return createHash("sha256")
    .update(JSON.stringify(pick(params)))
    .digest("base64url")
    .slice(0, 8);
}

function pick(params: SearchParams): SearchParams {
  return Object.fromEntries(FILTERS.map((name) => [name, params[name]]));
}
