// Who may read an artifact's contents: its owner, by token or session, or whoever has a signed link.
import { z } from "zod";
import { type ArtifactContent, findArtifact } from "#db/queries/artifacts.ts";
import { AppError } from "../app-error.ts";
import { requireToken, requireUser } from "../auth/guards.ts";
import { db } from "../database.ts";
import { followLink, noSuchArtifact } from "./links.ts";

export type Reader = { id: string } | { link: Link } | "nobody";

const linkShape = z.object({ expires: z.coerce.number().int().positive(), signature: z.string().max(100) });
type Link = z.infer<typeof linkShape>;

/** A guard. Only a bad token throws: a browser without a session is asked to sign in, rather than refused. */
export async function identifyReader(request: Request): Promise<Reader> {
  if (request.headers.has("authorization")) return requireToken(request);
  const { searchParams } = new URL(request.url);
  if (searchParams.has("signature")) {
    const link = linkShape.safeParse(Object.fromEntries(searchParams));
    return { link: link.success ? link.data : { expires: 1, signature: "" } };
  }
  return requireUser().catch((error) => {
    if (error instanceof AppError && error.code === "unauthenticated") return "nobody" as const;
    throw error;
  });
}

export async function artifactFor(reader: Exclude<Reader, "nobody">, id: string): Promise<ArtifactContent> {
  if ("link" in reader) return followLink(id, reader.link);
  const artifact = await findArtifact(db(), reader.id, id);
  if (!artifact) throw noSuchArtifact();
  return artifact;
}
