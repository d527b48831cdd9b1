// What a caller sees of a run's artifacts: in the fields of its result, and in a line to read.
import { type ArtifactRow, findArtifacts, listExecutionArtifacts } from "#db/queries/artifacts.ts";
import { db } from "../database.ts";
import type { Harvest } from "./harvest.ts";
import { signedUrl } from "./links.ts";

export interface ArtifactView {
  id: string;
  path: string;
  mime: string;
  size: number;
  /** Opens without signing in, for a while. */
  url: string;
}

const MOST_NAMED = 10;
// HTML and a figure's data up to this are in the result as well: worth having without another request.
const MOST_TEXT = 100_000;

function artifactView(row: ArtifactRow): ArtifactView {
  const { id, path, mime, size } = row;
  return { id, path, mime, size, url: signedUrl(row) };
}

/** The fields of a result with what was kept in them. A picture's contents are its artifact's from here on, and a large table's. */
export function withHarvest<T extends object>(view: T, { rows, results, skipped }: Harvest): T {
  const resultViews = "results" in view ? (view.results as { mime: string; text?: string }[]) : undefined;
  const shown = resultViews?.map((result, at) => {
    const { mime, text } = result;
    const row = results.get(at);
    if (!row) return result;
    const readable = mime === "text/html" || mime.endsWith("json");
    const short = readable && text !== undefined && text.length <= MOST_TEXT;
    return { mime, ...(short && { text }), artifact_id: row.id };
  });
  return {
    ...view,
    artifacts: rows.map(artifactView),
    ...(shown && { results: shown }),
    ...(skipped && { artifacts_skipped: skipped }),
  };
}

/** For models that read the text alone. */
export function describeHarvest({ rows, skipped }: Harvest): string {
  const files = rows.filter(({ source }) => source === "file").map(({ path }) => path);
  const named = files.slice(0, MOST_NAMED).join(", ");
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : "";
  return [files.length > 0 && `Kept as artifacts: ${named}${more}.`, skipped].filter(Boolean).join("\n");
}

/** A run's artifacts as they are on record. */
export async function executionArtifacts(userId: string, executionId: string): Promise<ArtifactView[]> {
  return (await listExecutionArtifacts(db(), userId, executionId)).map(artifactView);
}

/** The same artifacts, those that are still there, with addresses of this moment: earlier ones expire. */
export async function linkedAnew(userId: string, artifacts: { id: string }[]): Promise<ArtifactView[]> {
  const ids = artifacts.map(({ id }) => id);
  const rows = ids.length > 0 ? await findArtifacts(db(), userId, ids) : [];
  return rows.map(artifactView).sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}
