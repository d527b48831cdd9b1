// Text of the workspace, read and saved by hand. A save names what it was made from, so that nobody's change is lost.
import { createHash } from "node:crypto";
import { AppError } from "../app-error.ts";
import { reachFiles } from "./reach-files.ts";
import { nameTaken, runChange } from "./run-change.ts";
import { absolutePath } from "./workspace-path.ts";

/** What an editor in a page can hold and stay quick. */
const MOST_TEXT_BYTES = 2 * 2 ** 20;

export interface TextFile {
  text: string;
  /** Of the contents; hand it in when saving. */
  hash: string;
}

export function readText(userId: string, path: string): Promise<TextFile> {
  return reachFiles(userId, async (sandbox) => {
    const bytes = await sandbox.files.read(absolutePath(path), { maxBytes: MOST_TEXT_BYTES });
    return { text: decode(bytes), hash: hashOf(bytes) };
  });
}

/** `seen` is the hash of what was edited, or null for a file that is new. */
export async function saveText(
  userId: string,
  { path, text, seen }: { path: string; text: string; seen: string | null },
): Promise<{ hash: string }> {
  const bytes = Buffer.from(text);
  if (!path) throw new AppError("bad_request", "The file has no name.");
  if (bytes.length > MOST_TEXT_BYTES)
    throw new AppError("too_large", "Only text up to 2 MB can be saved here.");
  const target = absolutePath(path);
  const change = { userId, name: "save_file", arguments: { path: target, bytes: bytes.length } } as const;
  return runChange(change, async (files) => {
    const now = await files.read(target, { maxBytes: MOST_TEXT_BYTES }).then(hashOf, (error) => {
      if (error.code === "not_found") return null;
      if (error.code === "too_large") return "larger than anything that was opened here";
      throw error;
    });
    const conflict = conflictBetween(seen, now);
    if (conflict) throw conflict;
    await files.write(target, bytes);
    return { structured: { hash: hashOf(bytes) }, text: `Saved ${bytes.length} bytes.` };
  });
}

/** Of the hash that was seen and the one there is now, null where there is no file; nothing if they agree. */
export function conflictBetween(seen: string | null, now: string | null): AppError | undefined {
  if (now === seen) return undefined;
  if (seen === null) return nameTaken();
  return now === null
    ? new AppError("conflict", "The file was deleted or moved since you opened it.", {
        details: { reason: "gone" },
      })
    : new AppError("conflict", "The file was changed since you opened it.", {
        details: { reason: "changed" },
      });
}

function decode(bytes: Buffer): string {
  if (!bytes.includes(0)) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new AppError("unsupported_media_type", "This file is not text. Download it to open it elsewhere.");
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
