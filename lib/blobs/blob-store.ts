// Contents by their SHA-256: written once, streamed in and out, shared by whoever has the same bytes. Where they are kept
// is the matter of whoever implements this.
import type { Readable } from "node:stream";

export interface BlobStore {
  /** Whole or not at all: one that fails leaves nothing. */
  put(content: Readable | Buffer, options?: { maxBytes?: number }): Promise<PutBlob>;
  /**
   * From `start` to `end`, both included. A blob that was lost is an error now, rather than in the middle of an answer; one that
   * is swept meanwhile is read to its end.
   */
  open(sha256: Buffer, range?: { start?: number; end?: number }): Promise<Readable>;
  /** Whether it is there, and as large as it was, if that is known. Its bytes aren't read. */
  has(sha256: Buffer, size?: number): Promise<boolean>;
  /** Removes one unless it is being put right now or `isReferenced` says it is needed. Nobody can put it meanwhile. */
  sweep(sha256: Buffer, isReferenced: () => Promise<boolean>): Promise<boolean>;
  /** Every blob there is, some at a time. */
  list(): AsyncIterable<Buffer[]>;
  /** What a server that died was writing. Only before anything is put. */
  clearIncoming(): Promise<void>;
}

export interface PutBlob {
  sha256: Buffer;
  size: number;
  /** The first bytes, to tell what it is and to show a little of it. */
  head: Buffer;
  /** Until this is called the blob isn't swept: by then a row refers to it, or nobody ever will. */
  release(): void;
}

export type BlobProblem =
  /** There was more than was allowed; nothing is kept. */
  | "too_large"
  /** There is no more room than a reserve, which workspaces need; nothing is kept. */
  | "disk_full"
  /** What is kept under its name isn't what was put there: it is gone, or its bytes are others. */
  | "lost";

export class BlobError extends Error {
  override name = "BlobError";
  readonly code: BlobProblem;

  constructor(code: BlobProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * What the store says is wrong, if it is the store that says so. By name: the server's bundles share one store, but each has
 * classes of its own.
 */
export function blobProblem(error: unknown): BlobProblem | undefined {
  return error instanceof Error && error.name === "BlobError" ? (error as BlobError).code : undefined;
}
