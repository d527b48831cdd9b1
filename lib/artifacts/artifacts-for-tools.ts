import { type ArtifactRow, findArtifact, findArtifacts } from "#db/queries/artifacts.ts";
import type { ArtifactsForTools, ArtifactView } from "#mcp/tools/artifact-view.ts";
import { db } from "../database.ts";
import { noSuchArtifact, signedUrl } from "./links.ts";
import { listArtifacts } from "./list-artifacts.ts";
import { readContents, requireContents } from "./open-contents.ts";

const LARGEST_PICTURE = 1024 * 1024;
// What models and clients can show.
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function artifactsForTools(userId: string): ArtifactsForTools {
  return {
    async list({ limit, cursor }) {
      const { items, next } = await listArtifacts(userId, { limit, cursor });
      const rows = new Map(
        (
          await findArtifacts(
            db(),
            userId,
            items.map(({ id }) => id),
          )
        ).map((row) => [row.id, row]),
      );
      const views = items.flatMap(({ id }) => {
        const row = rows.get(id);
        return row ? [toView(row)] : [];
      });
      return next ? { items: views, next } : { items: views };
    },
    async get(id) {
      const row = await findArtifact(db(), userId, id);
      if (!row) throw noSuchArtifact();
      const shown = PICTURES.has(row.mime) && row.size > 0 && row.size <= LARGEST_PICTURE;
      if (!shown) await requireContents(row);
      return { artifact: toView(row), ...(shown && { picture: await readContents(row) }) };
    },
  };
}

function toView(row: ArtifactRow): ArtifactView {
  const { id, path, mime, size, version, createdAt } = row;
  return { id, path, mime, size, version, created_at: createdAt.toISOString(), url: signedUrl(row) };
}
