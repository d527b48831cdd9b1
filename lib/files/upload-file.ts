import { once } from "node:events";
import type { Readable } from "node:stream";
import type { FileWritable } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { nameTaken, runChange } from "./run-change.ts";
import { absolutePath } from "./workspace-path.ts";

interface Upload {
  path: string;
  body: Readable;
  /** Replace what is there; without it an existing file is a conflict. */
  replace: boolean;
  signal: AbortSignal;
}

/** Straight into the sandbox, no faster than it writes. One that is given up leaves nothing behind. */
export async function uploadFile(
  userId: string,
  { path, body, replace, signal }: Upload,
): Promise<{ size: number }> {
  if (!path) throw new AppError("bad_request", "The file has no name.");
  const target = absolutePath(path);
  const change = { userId, name: "upload_file", arguments: { path: target, replace }, signal } as const;
  return runChange(change, async (files, signal) => {
    if (!replace) await requireAbsent(() => files.stat(target));
    try {
      const file = await files.openWrite(target, signal && { signal });
      await pour(body, file);
      const { size } = await file.result;
      return { structured: { size }, text: `Uploaded ${size} bytes.` };
    } catch (error) {
      if (!signal?.aborted) throw error;
      throw new AppError("bad_request", "The upload was given up.", { cause: error });
    }
  });
}

async function requireAbsent(stat: () => Promise<unknown>): Promise<void> {
  const existing = await stat().catch((error) => {
    if (error.code !== "not_found") throw error;
  });
  if (existing) throw nameTaken();
}

/** Leaves the body open if the file fails: whoever answers reads the rest, or the sender never hears why. */
async function pour(body: Readable, file: FileWritable): Promise<void> {
  try {
    for await (const part of body.iterator({ destroyOnReturn: false })) {
      // A file that failed already never drains; its result says so.
      if (!file.write(part)) await Promise.race([once(file, "drain"), file.result]);
    }
    file.end();
  } catch (error) {
    const reason = file.errored ?? error;
    file.destroy();
    throw reason;
  }
  await file.result;
}
