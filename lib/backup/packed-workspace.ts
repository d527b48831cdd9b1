// Somebody's workspace as a file in the data directory, from where whoever makes a backup takes it. The server itself writes it:
// it alone knows what goes on in a sandbox, and it writes nowhere else.
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { env } from "#env.ts";
import type { Sandboxes } from "#sandbox/index.ts";
import { freeBytes } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { HOST_RESERVE_BYTES } from "../host-room.ts";

// How much is written before somebody looks again how much room is left.
const UNSEEN_BYTES = 16 * 2 ** 20;

export const packedWorkspace = (name: string) => path.join(folder(), `${name}.tar`);

/** `name` is a UUID. */
export async function packWorkspace(sandboxes: Sandboxes, userId: string, name: string): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const file = packedWorkspace(name);
  const tar = new PassThrough();
  const written = pipeline(tar, whileThereIsRoom, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  // Whoever packs hears of a failure first.
  written.catch((error) => tar.destroy(error));
  try {
    const exists = await sandboxes.pack(userId, tar);
    if (!exists) throw new AppError("not_found", "The workspace is gone.");
    await written;
  } catch (error) {
    tar.destroy();
    await written.catch(() => undefined);
    await rm(file, { force: true });
    throw error;
  }
}

/** What was never taken. */
export async function clearPackedWorkspaces(): Promise<void> {
  await rm(folder(), { recursive: true, force: true });
}

async function* whileThereIsRoom(source: AsyncIterable<Buffer>) {
  let unseen = UNSEEN_BYTES;
  for await (const chunk of source) {
    unseen += chunk.length;
    if (unseen >= UNSEEN_BYTES) {
      unseen = 0;
      if ((await freeBytes(folder())) < HOST_RESERVE_BYTES)
        throw new AppError("unavailable", "The server's disk is almost full: free some space and try again.");
    }
    yield chunk;
  }
}

function folder(): string {
  return path.join(env().COVE_DATA_DIR, "packed");
}
