import { z } from "zod";
import {
  ARTIFACT_SORTS,
  type ArtifactFilter,
  type ArtifactKey,
  type ArtifactRow,
  type ArtifactSort,
  listArtifactConversations,
  listArtifacts as listRows,
} from "#db/queries/artifacts.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { artifactPath } from "./links.ts";

export interface ArtifactItem extends Omit<ArtifactRow, "linkEpoch"> {
  /** The contents, for whoever is signed in. */
  href: string;
}

export interface ArtifactPage {
  items: ArtifactItem[];
  /** Hand it in as `cursor` for the following page; missing on the last one. */
  next?: string;
}

/** The orders a list can have. */
export const SORTS = ARTIFACT_SORTS;
const MOST = 200;
const cursorShape = z.tuple([z.uuid(), z.union([z.string().max(4096), z.number()]).optional()]);

/** The newest version of every artifact, a page at a time, by key: rows that come and go meanwhile shift nothing. */
export async function listArtifacts(
  userId: string,
  options: ArtifactFilter & { sort?: ArtifactSort; cursor?: string | undefined; limit?: number } = {},
): Promise<ArtifactPage> {
  const { sort = "newest", cursor, limit = 60, ...filter } = options;
  const size = Math.min(Math.max(1, limit), MOST);
  const after = cursor === undefined ? undefined : readCursor(cursor, sort);
  const rows = await listRows(db(), userId, filter, { sort, after, limit: size + 1 });
  const items = rows.slice(0, size).map(toItem);
  const last = items.at(-1);
  return rows.length > size && last ? { items, next: writeCursor(last, sort) } : { items };
}

/** The chats among which a list can be narrowed. */
export function artifactConversations(userId: string): Promise<{ id: string; title: string }[]> {
  return listArtifactConversations(db(), userId);
}

export function toItem({ linkEpoch: _, ...row }: ArtifactRow): ArtifactItem {
  return { ...row, href: artifactPath(row) };
}

function writeCursor(item: ArtifactItem, sort: ArtifactSort): string {
  const by = sort === "name" ? item.name : sort === "largest" ? item.size : undefined;
  return Buffer.from(JSON.stringify(by === undefined ? [item.id] : [item.id, by])).toString("base64url");
}

function readCursor(cursor: string, sort: ArtifactSort): ArtifactKey {
  try {
    const [id, by] = cursorShape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    const wanted = sort === "name" ? "string" : sort === "largest" ? "number" : "undefined";
    if (typeof by === wanted) return by === undefined ? { id } : { id, by };
  } catch {
    // Said below.
  }
  throw new AppError("bad_request", "The cursor is not one of this list.", { field: "cursor" });
}
