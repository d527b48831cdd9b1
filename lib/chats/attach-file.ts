// A file that goes with a message: it lands in the workspace under a name of its own, streamed.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isSandboxError, type Sandbox } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { limitRate } from "../executions/rate-limit.ts";
import { fromSandbox } from "../executions/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { requireConversation } from "./conversations.ts";

const FOLDER = "/workspace/uploads";
const LONGEST = 120;

export async function attachFile(
  userId: string,
  conversationId: string,
  { name, body, signal }: { name: string; body: ReadableStream<Uint8Array> | null; signal: AbortSignal },
): Promise<{ path: string; size: number }> {
  await requireConversation(userId, conversationId);
  limitRate(userId);
  try {
    const sandbox = await (await sandboxes()).open(userId);
    const path = await freePath(sandbox, safeName(name));
    const file = await sandbox.files.openWrite(path, { signal });
    const source = body ? Readable.fromWeb(body as never) : Readable.from([]);
    await pipeline(source, file, { signal });
    const { size } = await file.result;
    return { path, size };
  } catch (error) {
    if (signal.aborted) throw new AppError("bad_request", "The upload was given up.", { cause: error });
    throw fromSandbox(error);
  }
}

/** A plain file name, whatever was sent: no path, nothing a shell or a screen would read as more than letters. */
export function safeName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
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
      await sandbox.files.stat(path);
    } catch (error) {
      if (isSandboxError(error) && error.code === "not_found") return path;
      throw error;
    }
  }
  throw new AppError("conflict", `There are too many files called ${name}.`);
}
