// An answer for somebody with whom there is no request to answer: written to the socket as it is, which is closed after it.
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export function answerRaw(
  socket: Duplex,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: { code, message } });
  const head = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  // Whoever doesn't close the other half would hold on to it for ever.
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"), () =>
    socket.destroy(),
  );
}
