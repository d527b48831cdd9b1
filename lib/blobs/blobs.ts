import path from "node:path";
import { env } from "#env.ts";
import { HOST_RESERVE_BYTES } from "../host-room.ts";
import { perProcess } from "../per-process.ts";
import type { BlobStore } from "./blob-store.ts";
import { LocalBlobStore } from "./local-blob-store.ts";

const kept = perProcess<BlobStore>("blobs");

/** The server's own store, in its data directory. */
export function blobs(): BlobStore {
  return kept.get(
    () => new LocalBlobStore(path.join(env().COVE_DATA_DIR, "blobs"), { reserveBytes: HOST_RESERVE_BYTES }),
  );
}

/** Lets tests hand in one of their own. */
export function provideBlobs(given: BlobStore): void {
  kept.set(given);
}
