// A user's consoles: made, opened, saved, deleted.
import * as queries from "#db/queries/consoles.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { MOST, requireBelow } from "../growth-bounds.ts";
import { type Content, cells } from "./content.ts";

export interface Console extends Content {
  id: string;
  version: number;
}

export interface OpenedConsole extends Console {
  /** Which run each cell shows. */
  runs: Record<string, string>;
}

export const listConsoles = (userId: string) => queries.listConsoles(db(), userId);

export async function createConsole(userId: string, content: Content): Promise<Console> {
  const row = toRow(content);
  const { consoles, bytes } = await queries.measureConsoles(db(), userId);
  requireBelow("consoles", consoles);
  requireRoom(bytes, row);
  return toConsole(await queries.insertConsole(db(), userId, row));
}

/** The one that was used last, or a first one. */
export async function latestConsole(userId: string): Promise<string> {
  const [latest] = await listConsoles(userId);
  return latest?.id ?? (await createConsole(userId, emptyContent())).id;
}

function emptyContent(name = "Console"): Content {
  return { name, session: "default", cells: [{ id: crypto.randomUUID(), kind: "python", code: "" }] };
}

export async function openConsole(userId: string, id: string): Promise<OpenedConsole> {
  const [row, runs] = await Promise.all([
    queries.findConsole(db(), userId, id),
    queries.runsOfConsole(db(), userId, id),
  ]);
  if (!row) throw noSuchConsole();
  return { ...toConsole(row), runs };
}

/** Saves over the version that was changed and no other: what another page saved meanwhile is not lost unseen. */
export async function saveConsole(
  userId: string,
  id: string,
  version: number,
  content: Content,
): Promise<number> {
  const row = toRow(content);
  const { bytes } = await queries.measureConsoles(db(), userId, id);
  requireRoom(bytes, row);
  const saved = await queries.updateConsole(db(), userId, id, version, row);
  if (saved !== undefined) return saved;
  if (!(await queries.findConsole(db(), userId, id))) throw noSuchConsole();
  throw new AppError("conflict", "This console was changed somewhere else since it was opened here.");
}

export async function deleteConsole(userId: string, id: string): Promise<void> {
  if (!(await queries.deleteConsole(db(), userId, id))) throw noSuchConsole();
}

export function noSuchConsole(): AppError {
  return new AppError("not_found", "There is no such console.");
}

function requireRoom(others: number, { cells }: queries.ConsoleContent): void {
  if (others + Buffer.byteLength(cells) <= MOST.consoleBytes) return;
  throw new AppError("too_large", "Your consoles take 100 MB, which is all they may. Delete one first.");
}

function toRow({ name, session, cells }: Content): queries.ConsoleContent {
  return { name, session, cells: JSON.stringify(cells) };
}

function toConsole(row: queries.ConsoleRow): Console {
  return { ...row, cells: cells.parse(JSON.parse(row.cells)) };
}
