// After a run: the files it changed and the pictures it displayed become artifacts. Whatever goes wrong here, the run's own
// result stands.
import { createHash } from "node:crypto";
import path from "node:path";
import { insertArtifacts, type NewArtifact } from "#db/queries/artifact-changes.ts";
import type { ArtifactRow } from "#db/queries/artifacts.ts";
import { env } from "#env.ts";
import { displayName, nameToBytes, type RichResult, type Sandbox } from "#sandbox/index.ts";
import { blobProblem, type PutBlob } from "../blobs/blob-store.ts";
import { blobs } from "../blobs/blobs.ts";
import { sweepBlob } from "../blobs/sweep-blobs.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { describeType, isText, isTextual } from "./describe-type.ts";
import { type ArtifactLimits, artifactLimits } from "./limits.ts";
import { richArtifacts } from "./rich-artifacts.ts";
import { describeSkipped, LeftOut } from "./skipped.ts";
import { takeSnapshots } from "./snapshot.ts";

export interface Origin {
  userId: string;
  executionId: string;
  door: string;
  conversationId?: string | null | undefined;
}

export interface Harvest {
  /** New versions, and those that had the same content already. */
  rows: ArtifactRow[];
  /** Which result became which artifact. */
  results: Map<number, ArtifactRow>;
  /** A sentence about what was left out. */
  skipped?: string;
}

interface Found {
  paths: string[];
  /** There were more than `paths`. */
  more?: boolean;
  results?: RichResult[] | undefined;
}

type Candidate = Omit<NewArtifact, "userId"> & { blob: PutBlob; index?: number };

export async function harvest(
  origin: Origin,
  sandbox: Pick<Sandbox, "files">,
  found: Found,
  limits: ArtifactLimits = artifactLimits(),
  signal: AbortSignal = AbortSignal.timeout(limits.patienceMs),
): Promise<Harvest> {
  const { paths, more = false, results = [] } = found;
  const candidates: Candidate[] = [];
  try {
    const lost = await putResults(origin, results, candidates);
    const { taken, left } = await takeSnapshots(sandbox.files, paths, limits, signal);
    for (const { path: file, blob } of taken) {
      candidates.push(toCandidate(origin, "file", file, nameToBytes(file), blob));
    }
    return await keep(origin, candidates, { files: left, results: lost, more }, limits);
  } catch (err) {
    log().error({ err, executionId: origin.executionId }, "artifacts could not be kept");
    const skipped =
      "What this run made could not be kept as artifacts; the files are still in the workspace.";
    return { rows: [], results: new Map(), skipped };
  } finally {
    for (const { blob } of candidates) blob.release();
  }
}

/** Adds what was shown to the candidates, and says what found no room. */
async function putResults(origin: Origin, results: RichResult[], candidates: Candidate[]): Promise<LeftOut> {
  const left = new LeftOut();
  for (const { content, index, name, mime, kind } of richArtifacts(results)) {
    const blob = await blobs()
      .put(content)
      .catch((error) => {
        if (blobProblem(error) !== "disk_full") throw error;
        left.add("disk", name);
      });
    if (!blob) continue;
    const key = Buffer.from(`result ${origin.executionId} ${index}`);
    candidates.push({ ...toCandidate(origin, "result", name, key, blob), mime, kind, index });
  }
  return left;
}

async function keep(
  { userId }: Origin,
  candidates: Candidate[],
  left: { files: LeftOut; results: LeftOut; more: boolean },
  limits: ArtifactLimits,
): Promise<Harvest> {
  const given = candidates.map(({ blob: _, index: __, ...artifact }) => artifact);
  const kept = await insertArtifacts(db(), userId, given, limits.userBytes);
  const harvested: Harvest = { rows: [], results: new Map() };
  for (const [at, candidate] of candidates.entries()) {
    const one = kept[at];
    if (one === undefined || one === "full") {
      left[candidate.index === undefined ? "files" : "results"].add("full", candidate.path);
      candidate.blob.release();
      await sweepBlob(candidate.blob.sha256);
      continue;
    }
    harvested.rows.push(one.row);
    if (candidate.index !== undefined) harvested.results.set(candidate.index, one.row);
  }
  const skipped = describeSkipped(left, limits);
  return skipped ? { ...harvested, skipped } : harvested;
}

function toCandidate(
  { executionId, door, conversationId = null }: Origin,
  source: "file" | "result",
  file: string,
  key: Buffer,
  blob: PutBlob,
): Candidate {
  const name = displayName(path.posix.basename(file));
  const type = describeType(name, blob.head);
  return {
    executionId,
    conversationId,
    door,
    image: env().COVE_SANDBOX_IMAGE ?? null,
    source,
    path: displayName(file),
    name,
    pathKey: createHash("sha256").update(key).digest(),
    ...type,
    size: blob.size,
    sha256: blob.sha256,
    preview: isTextual(type) && isText(blob.head) ? firstLines(blob.head) : null,
    blob,
  };
}

function firstLines(head: Buffer): string {
  const text = new TextDecoder().decode(head, { stream: true });
  return text.split("\n", 120).join("\n").slice(0, 2000).toWellFormed();
}
