// The output of a run where a row has no room for it: what it printed, displayed and answered, in one compressed blob. Whoever
// reads a row gets the output with it, or a sentence in its place.
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { z } from "zod";
import type { FinishedExecution } from "#db/queries/executions.ts";
import { blobProblem } from "../blobs/blob-store.ts";
import { blobs } from "../blobs/blobs.ts";
import { log } from "../log.ts";

/** As a row has it. */
interface Output {
  stdout: Buffer | null;
  stderr: Buffer | null;
  results: string | null;
  result: string | null;
}

/** Where it is, and whether it still is. */
interface Place {
  outputBlob: Buffer | null;
  removedBytes: number | null;
}

// Most runs print less, and their rows are read and written at one go. Above it a file is smaller than the row would be, and
// Postgres writes everything twice: into its log as well.
const MOST_IN_ROW = 32 * 1024;
// What a file system gives out at a time.
const BLOCK_BYTES = 4096;
/** Of one blob, unpacked. A run has a few hundred kB of each. */
const MOST_UNPACKED = 64 * 2 ** 20;

const NOTHING: Output = { stdout: null, stderr: null, results: null, result: null };
const REMOVED = "Output removed: there was no more room for it.";
const LOST = "Output lost: the stored copy is missing or damaged.";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const sizes = z.object({
  stdout: z.int().min(0).nullable(),
  stderr: z.int().min(0).nullable(),
  results: z.int().min(0).nullable(),
  result: z.int().min(0).nullable(),
});

/** The end as it is to be written. Call `release` once it is: until then nobody sweeps the blob. */
export async function storeOutput(
  end: FinishedExecution,
  { whole = false } = {},
): Promise<{ stored: FinishedExecution; release(): void }> {
  const { stdout = null, stderr = null, results = null, result = null } = end;
  const packed = pack({ stdout, stderr, results, result });
  if (packed.length <= MOST_IN_ROW || packed.length > MOST_UNPACKED) return { stored: end, release() {} };
  try {
    const { sha256, size, release } = await blobs().put(await compress(packed));
    const outputBlobBytes = Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    return { stored: { ...end, ...NOTHING, outputBlob: sha256, outputBlobBytes }, release };
  } catch (err) {
    if (isFull(err) && whole) throw err;
    if (isFull(err)) return { stored: { ...end, ...NOTHING, removedBytes: packed.length }, release() {} };
    log().warn({ err }, "an output could not be kept as a blob and stays in its row");
    return { stored: end, release() {} };
  }
}

export async function withOutput<Row extends Place>(row: Row): Promise<Row & { outputMissing?: string }> {
  if (row.removedBytes) return { ...row, outputMissing: REMOVED };
  if (!row.outputBlob) return row;
  try {
    return { ...row, ...(await read(row.outputBlob)) };
  } catch (err) {
    log().warn({ err, blob: row.outputBlob.toString("hex") }, "the output of a run can't be read");
    return { ...row, outputMissing: LOST };
  }
}

async function read(sha256: Buffer): Promise<Output> {
  const packed = await buffer(await blobs().open(sha256));
  if (!createHash("sha256").update(packed).digest().equals(sha256)) throw new Error("The blob is damaged.");
  return unpack(await decompress(packed, { maxOutputLength: MOST_UNPACKED }));
}

/** A line of JSON with the sizes, then one after the other. */
function pack(output: Output): Buffer {
  const bytesOf = (text: string | null) => (text === null ? null : Buffer.from(text));
  const parts = { ...output, results: bytesOf(output.results), result: bytesOf(output.result) };
  const lengths = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part?.length ?? null]),
  );
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(lengths)}\n`),
    ...Object.values(parts).filter((part) => part !== null),
  ]);
}

function unpack(packed: Buffer): Output {
  const end = packed.indexOf("\n");
  const lengths = sizes.parse(JSON.parse(packed.subarray(0, end).toString()));
  let at = end + 1;
  const next = (length: number | null) => {
    if (length === null) return null;
    at += length;
    if (at > packed.length) throw new Error("The blob is too short.");
    return packed.subarray(at - length, at);
  };
  const [stdout, stderr] = [next(lengths.stdout), next(lengths.stderr)];
  const [results, result] = [next(lengths.results), next(lengths.result)];
  return { stdout, stderr, results: results?.toString() ?? null, result: result?.toString() ?? null };
}

function isFull(error: unknown): boolean {
  return blobProblem(error) === "disk_full" || (error as NodeJS.ErrnoException).code === "ENOSPC";
}
