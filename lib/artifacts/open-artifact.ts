import { z } from "zod";
import { findArtifact, findConversationTitle, findProvenance, listVersions } from "#db/queries/artifacts.ts";
import { callCode } from "#mcp/tools/catalogue.ts";
import { db } from "../database.ts";
import { readJsonText } from "../read-json-text.ts";
import { noSuchArtifact } from "./links.ts";
import { type ArtifactItem, toItem } from "./list-artifacts.ts";
import { findLoss } from "./open-contents.ts";

export interface OpenedArtifact extends ArtifactItem {
  sha256: string;
  /** The sentence that says so, if its contents are lost. */
  lost?: string;
  /** Of the same path, newest first; this one among them. */
  versions: Awaited<ReturnType<typeof listVersions>>;
  provenance: Provenance;
}

interface Provenance {
  door: string;
  /** The sandbox image it was made in. */
  image: string | null;
  conversation?: { id: string; title: string };
  /** Missing once the run was deleted from the history. */
  execution?: {
    id: string;
    tool: string;
    /** What was run, for tools that run something; else the arguments as JSON. */
    code: string;
    language: "python" | "bash" | "json";
    session: string | null;
    status: string;
    durationMs: number | null;
    createdAt: Date;
  };
}

/** One artifact with everything a viewer shows beside its contents. */
export async function openArtifact(userId: string, id: string): Promise<OpenedArtifact> {
  const found = await findArtifact(db(), userId, id);
  if (!found) throw noSuchArtifact();
  const { pathKey, image, sha256, userId: _, ...row } = found;
  const [lost, versions, run, conversation] = await Promise.all([
    findLoss(found),
    listVersions(db(), userId, pathKey),
    row.executionId ? findProvenance(db(), userId, row.executionId) : undefined,
    row.conversationId ? findConversationTitle(db(), userId, row.conversationId) : undefined,
  ]);
  return {
    ...toItem(row),
    sha256: sha256.toString("hex"),
    ...(lost && { lost }),
    versions,
    provenance: {
      door: row.door,
      image,
      ...(conversation && { conversation }),
      ...(run && { execution: describeRun(run) }),
    },
  };
}

function describeRun(run: NonNullable<Awaited<ReturnType<typeof findProvenance>>>): Provenance["execution"] {
  const { executionId, arguments: given, door: _, ...rest } = run;
  return { id: executionId, ...codeOf(run.tool, given), ...rest };
}

function codeOf(tool: string, given: string): { code: string; language: "python" | "bash" | "json" } {
  // Nothing is left of a large call that made room for newer ones.
  const values = readJsonText(z.record(z.string(), z.unknown()), given, {});
  const found = callCode(tool, values);
  if (!found || found.language === "text") return { code: JSON.stringify(values, null, 2), language: "json" };
  return { code: found.code, language: found.language };
}
