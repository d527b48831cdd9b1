import { z } from "zod";

export const artifactView = z.object({
  id: z.string(),
  path: z.string(),
  mime: z.string(),
  size: z.number(),
  version: z.number(),
  created_at: z.string(),
  url: z.string().describe("Opens without signing in, for a day."),
});

export type ArtifactView = z.infer<typeof artifactView>;

/** The caller's artifacts, handed to tools. */
export interface ArtifactsForTools {
  list(page: {
    limit: number;
    cursor?: string | undefined;
  }): Promise<{ items: ArtifactView[]; next?: string }>;
  /** With the contents of a picture that is small enough to be shown. */
  get(id: string): Promise<{ artifact: ArtifactView; picture?: Buffer | undefined }>;
}
