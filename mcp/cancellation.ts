// How a client takes a call back. In 2026-07-28 it closes the stream, and the SDK aborts the request's own signal. In the
// 2025 revisions a closed stream means nothing, and a notification names the request, in a POST of its own.
import type { Server } from "@modelcontextprotocol/server";

/** Where a request comes from: its number means something there only. */
export interface Origin {
  userId: string;
  era: "legacy" | "modern";
  session: string;
}

interface Request {
  id: string | number;
  signal: AbortSignal;
}

const inFlight = new Map<string, () => void>();

/** Runs `work` with the signal that counts for its revision. */
export async function cancellable<T>(
  server: Server,
  origin: Origin,
  { id, signal }: Request,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (origin.era === "modern") return work(signal);
  const controller = new AbortController();
  const key = keyOf(origin, id);
  const cancel = () => {
    controller.abort();
    // A request that was cancelled gets no answer.
    void server.close();
  };
  inFlight.set(key, cancel);
  try {
    return await work(controller.signal);
  } finally {
    if (inFlight.get(key) === cancel) inFlight.delete(key);
  }
}

export function serveCancellation(server: Server, origin: Origin): void {
  if (origin.era === "modern") return;
  server.setNotificationHandler("notifications/cancelled", ({ params }) => {
    if (params.requestId !== undefined) inFlight.get(keyOf(origin, params.requestId))?.();
  });
}

function keyOf({ userId, session }: Origin, id: string | number): string {
  return JSON.stringify([userId, session, id]);
}
