import type { PipeStream } from "../pipe/pipe-stream.ts";
import type { RunOptions } from "../types.ts";

/** Sends a command its input as it is produced, and its end. Resolves when that is done, or nobody reads it any more. */
export async function feedInput(stream: PipeStream, stdin: RunOptions["stdin"]): Promise<void> {
  if (stdin === undefined) return;
  if (typeof stdin === "string") await stream.write(Buffer.from(stdin));
  else if (stdin instanceof Uint8Array) await stream.write(stdin);
  else
    for await (const chunk of stdin) {
      if (stream.done) break;
      await stream.write(chunk);
    }
  stream.end();
}
