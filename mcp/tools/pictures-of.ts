import type { ArtifactsForTools } from "./artifact-view.ts";

interface Shown {
  mime: string;
  artifact_id?: string | undefined;
  data?: string | undefined;
}

/** The pictures among a cell's results, as its first answer had them: their contents are kept as artifacts. */
export async function picturesOf(
  { results = [] }: { results?: Shown[] | undefined },
  artifacts: ArtifactsForTools,
): Promise<{ mime: string; data: Buffer }[]> {
  const pictures = results.filter(({ mime }) => mime.startsWith("image/"));
  const found = await Promise.all(
    pictures.map(async ({ mime, artifact_id, data }) => {
      if (data) return { mime, data: Buffer.from(data, "base64") };
      // One that was deleted meanwhile is simply not there any more.
      const kept = artifact_id ? await artifacts.get(artifact_id).catch(() => undefined) : undefined;
      return kept?.picture && { mime, data: kept.picture };
    }),
  );
  return found.filter((picture) => picture !== undefined);
}
