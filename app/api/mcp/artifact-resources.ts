import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { isTextual } from "#lib/artifacts/describe-type.ts";
import { listArtifacts } from "#lib/artifacts/list-artifacts.ts";
import { readWhole } from "#lib/artifacts/read-artifact-text.ts";
import type { ResourceKind } from "#mcp/serve-resources.ts";

// A message holds all of it, in base64; larger ones have an address to download them from.
const LARGEST = 8 * 1024 * 1024;
const SCHEME = "artifact";

export function artifactResources(userId: string): ResourceKind {
  return {
    scheme: SCHEME,
    template: {
      uriTemplate: `${SCHEME}://{id}`,
      name: "artifact",
      title: "Artifact",
      description: "A file that code made, as it was then. list_artifacts has the ids.",
    },
    async list() {
      const { items } = await listArtifacts(userId, { limit: 100 });
      return items.map(({ id, name, path, mime, size }) => ({
        uri: `${SCHEME}://${id}`,
        name,
        title: path,
        mimeType: mime,
        size,
      }));
    },
    async read(uri) {
      const id = z.uuid().safeParse(uri.slice(`${SCHEME}://`.length));
      if (!id.success) return undefined;
      const contents = await readWhole(userId, id.data, LARGEST).catch((error) => {
        if (error instanceof AppError && error.code === "not_found") return undefined;
        throw error;
      });
      if (!contents) return undefined;
      const { mime: mimeType } = contents;
      return isTextual(contents)
        ? { mimeType, text: contents.bytes.toString() }
        : { mimeType, bytes: contents.bytes };
    },
  };
}
