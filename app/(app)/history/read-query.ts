// The filters in the address, as the history takes them and as its links write them. What makes no sense there is no filter.
import { createHash } from "node:crypto";
import { z } from "zod";
import { one, type SearchParams } from "#app/_filters/search-params.ts";
import type { HistoryQuery } from "#lib/history/history.ts";
import { DOORS, OUTCOMES, TIMES } from "./labels.ts";

export interface PageQuery {
  query: HistoryQuery;
  before?: string;
  thorough: boolean;
  /** Whether anything narrows the list. */
  filtered: boolean;
  /** The one day it is narrowed to. */
  day?: string;
}

const FILTERS = ["q", "door", "tool", "status", "time", "conversation"];
const DAY_MS = 24 * 3_600_000;
const uuid = z.uuid();

export function readQuery(params: SearchParams, now = Date.now()): PageQuery {
  const text = one(params.q);
  const conversation = uuid.safeParse(params.conversation);
  const before = uuid.safeParse(params.before);
  const inPlace = params.of === filterKey(params);
  const day = dayOf(one(params.time));
  const query: HistoryQuery = {
    ...known("door", one(params.door), DOORS),
    ...known("status", one(params.status), OUTCOMES),
    ...tool(one(params.tool)),
    ...(conversation.success && { conversationId: conversation.data }),
    ...range(one(params.time), day, now),
    ...(text && { text }),
  };
  return {
    query,
    ...(before.success && inPlace && { before: before.data }),
    thorough: inPlace && params.thorough === "1",
    filtered: Object.keys(query).length > 0,
    ...(day && { day }),
  };
}

function known<K extends string>(key: K, value: string | undefined, values: Record<string, unknown>) {
  return value !== undefined && Object.hasOwn(values, value) ? ({ [key]: value } as Record<K, string>) : {};
}

/** Any name that a tool may have: those of older versions are on record, too. */
function tool(value: string | undefined): { tool?: string } {
  return value !== undefined && /^\w{1,100}$/.test(value) ? { tool: value } : {};
}

function dayOf(value: string | undefined): string | undefined {
  return value !== undefined && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}

function range(value: string | undefined, day: string | undefined, now: number): { from?: Date; to?: Date } {
  if (day) return { from: new Date(day), to: new Date(Date.parse(day) + DAY_MS) };
  const time = value !== undefined && Object.hasOwn(TIMES, value) ? TIMES[value] : undefined;
  return time ? { from: new Date(now - time.ms) } : {};
}

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

function filterKey(params: SearchParams): string {
  return createHash("sha256")
    .update(JSON.stringify(pick(params)))
    .digest("base64url")
    .slice(0, 8);
}

function pick(params: SearchParams): SearchParams {
  return Object.fromEntries(FILTERS.map((name) => [name, params[name]]));
}
