// After a run: the files it changed and the pictures it displayed become artifacts. Whatever goes wrong here, the run's own
// result stands.
import { createHash } from "node:crypto";
import path from "node:path";
import { insertArtifacts, type NewArtifact } from "#db/queries/artifact-changes.ts";
import type { ArtifactRow } from "#db/queries/artifacts.ts";
import { env } from "#env.ts";
import { displayName, nameToBytes, type RichResult, type Sandbox } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import type { PutBlob } from "./blob-store.ts";
import { blobs } from "./blobs.ts";
import { describeType, isText, isTextual } from "./describe-type.ts";
import { type ArtifactLimits, artifactLimits } from "./limits.ts";
import { richArtifacts } from "./rich-artifacts.ts";
import { describeSkipped } from "./skipped.ts";
import { type Snapshots, takeSnapshots } from "./snapshot.ts";
import { sweepBlob } from "./sweep-blobs.ts";

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
  limits: ArtifactLimits = artifactLimits,
): Promise<Harvest> {
  const rich = richArtifacts(found.results ?? []);
  if (found.paths.length === 0 && rich.length === 0) return { rows: [], results: new Map() };
  const candidates: Candidate[] = [];
  try {
    for (const { content, index, name, mime, kind } of rich) {
      const blob = await blobs().put(content);
      const key = `result ${origin.executionId} ${index}`;
      candidates.push({ ...toCandidate(origin, "result", name, Buffer.from(key), blob), mime, kind, index });
    }
    const snapshots = await takeSnapshots(sandbox.files, found.paths, limits);
    for (const { path: file, blob } of snapshots.taken) {
      candidates.push(toCandidate(origin, "file", file, nameToBytes(file), blob));
    }
    return await keep(origin, candidates, snapshots, found, limits);
  } catch (err) {
    log().error({ err, executionId: origin.executionId }, "artifacts could not be kept");
    const skipped =
      "What this run made could not be kept as artifacts; the files are still in the workspace.";
    return { rows: [], results: new Map(), skipped };
  } finally {
    for (const { blob } of candidates) blob.release();
  }
}

async function keep(
  { userId }: Origin,
  candidates: Candidate[],
  { skipped }: Snapshots,
  { more = false }: Found,
  limits: ArtifactLimits,
): Promise<Harvest> {
  const given = candidates.map(({ blob: _, index: __, ...artifact }) => artifact);
  const kept = await insertArtifacts(db(), userId, given, limits.userBytes);
  const harvested: Harvest = { rows: [], results: new Map() };
  const full: string[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const one = kept[at];
    if (one === undefined || one === "full") {
      full.push(candidate.path);
      candidate.blob.release();
      await sweepBlob(candidate.blob.sha256);
      continue;
    }
    harvested.rows.push(one.row);
    if (candidate.index !== undefined) harvested.results.set(candidate.index, one.row);
  }
  const sentence = describeSkipped({ ...skipped, full }, more, limits);
  return sentence ? { ...harvested, skipped: sentence } : harvested;
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
  return text.split("\n", 40).join("\n").slice(0, 2000).toWellFormed();
}
