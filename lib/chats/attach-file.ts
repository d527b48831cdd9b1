// A file that goes with a message: it lands in the workspace under a name of its own, streamed.
import { Readable } from "node:stream";
import { isSandboxError, type Sandbox } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { reachFiles } from "../files/reach-files.ts";
import { uploadFile } from "../files/upload-file.ts";
import { absolutePath } from "../files/workspace-path.ts";
import { requireConversation } from "./conversations.ts";

const FOLDER = "uploads";
const LONGEST = 120;

export async function attachFile(
  userId: string,
  conversationId: string,
  { name, body, signal }: { name: string; body: ReadableStream<Uint8Array> | null; signal: AbortSignal },
): Promise<{ path: string; size: number }> {
  await requireConversation(userId, conversationId);
  const path = await reachFiles(userId, (sandbox) => freePath(sandbox, safeName(name)));
  const source = body ? Readable.fromWeb(body as never) : Readable.from([]);
  const { size } = await uploadFile(userId, { path, body: source, replace: false, signal });
  return { path: absolutePath(path), size };
}

/** A plain file name, whatever was sent: no path, nothing a shell or a screen would read as more than letters. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^[.\-_]+/, "");
  const [, stem = "", end = ""] = /^(.*?)(\.[^.]{1,12})?$/.exec(plain) ?? [];
  return `${[...(stem || "file")].slice(0, LONGEST).join("")}${end}`;
}

async function freePath(sandbox: Sandbox, name: string): Promise<string> {
  const [, stem, end] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? [];
  for (let n = 0; n < 1000; n++) {
    const path = `${FOLDER}/${n === 0 ? name : `${stem}-${n}${end ?? ""}`}`;
    try {
      await sandbox.files.stat(absolutePath(path));
    } catch (error) {
      if (isSandboxError(error) && error.code === "not_found") return path;
      throw error;
    }
  }
  throw new AppError("conflict", `There are too many files called ${name}.`);
}
