// A call that has one answer: a message, or the daemon's "no" as an error.

import { type Message, violation } from "./messages.ts";
import type { Pipe } from "./pipe.ts";
import { readRefusal } from "./read-refusal.ts";

/** `path` is the one the request is about. */
export function ask(
  pipe: Pick<Pipe, "open">,
  request: object,
  { path, signal }: { path?: string; signal?: AbortSignal },
): Promise<Message> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      stream.cancel();
      reject(signal?.reason);
    };
    const stream = pipe.open(request, {
      onReply: (message, final) => {
        signal?.removeEventListener("abort", stop);
        try {
          if (!final) throw violation("half an answer");
          const error = readRefusal(message, path);
          error ? reject(error) : resolve(message);
        } catch (error) {
          reject(error);
          throw error;
        }
      },
      onLost: reject,
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
