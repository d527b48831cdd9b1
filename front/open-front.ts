// The one HTTP server of Cove, before Next and in the same process. It bounds what connections cost and says who is calling;
// everything else is Next's.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { networkOf } from "#lib/accounts/client-address.ts";
import { answerRaw } from "./answer-raw.ts";
import { Bodies } from "./bodies.ts";
import { Connections } from "./connections.ts";
import type { Limits } from "./limits.ts";
import { nameClient, plainAddress, type TrustedProxies } from "./name-client.ts";
import { Refusals } from "./refusals.ts";

interface Front {
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Connections that become something else; without it such a request is answered like any other. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  limits: Limits;
  isTrusted: TrustedProxies;
  warn: (about: object, sentence: string) => void;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const NO_SUCH_METHOD = "Cove does not know this method.";
/** Clients that vanished are noticed by the kernel, also where an answer has nothing to say for hours. */
const PROBE_MS = 60_000;

export function openFront({ handle, upgrade, limits, isTrusted, warn }: Front): Server {
  const server = createServer({
    connectionsCheckingInterval: limits.headLookMs,
    headersTimeout: limits.headMs,
    // For the whole of a request, however large: bodies have a rule of their own.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleMs,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_MS,
  });
  server.timeout = limits.stalledMs;
  const refusals = new Refusals(limits, warn);
  const connections = new Connections(limits, () => refusals.count("displaced"));
  const answering = new Map<Socket, number>();
  const bodies = new Bodies(limits, {
    onProgress: ({ socket }) => answering.has(socket) && connections.work(socket),
    onWait: ({ socket }) => connections.wait(socket),
    onGivenUp(request, response) {
      refusals.count("bodies");
      const late = "The body of this request did not arrive in time. Send it again.";
      if (response.headersSent) request.socket.destroy();
      else answerRaw(request.socket, 408, "timeout", late);
    },
  });

  // Node's own listener begins to read from a connection, so ours stands before it.
  const [serve] = server.listeners("connection") as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket) => {
    const address = plainAddress(socket.remoteAddress);
    if (connections.admit(socket, isTrusted(address) ? undefined : networkOf(address))) {
      serve?.call(server, socket);
      return;
    }
    refusals.count("refused");
    socket.on("error", () => socket.destroy());
    answerRaw(socket, 503, "unavailable", "There are too many connections. Try again in a moment.", {
      "Retry-After": "5",
    });
  });

  server.on("request", (request, response) => {
    const { socket, method = "" } = request;
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (answering.get(socket) ?? 1) - 1;
      if (left > 0) answering.set(socket, left);
      else {
        answering.delete(socket);
        connections.wait(socket);
      }
    });
    if (hasBody(request)) bodies.add(request, response);
    else connections.work(socket);
    if (!METHODS.includes(method)) {
      refuseMethod(response);
      return;
    }
    nameClient(request, isTrusted);
    handle(request, response).catch((err) => {
      warn({ err }, "a request could not be handled");
      socket.destroy();
    });
  });

  // A connection has nothing left to say, or its client takes nothing of what is said. An answer may be silent, though.
  server.on("timeout", (socket) => {
    if (answering.has(socket) && socket.writableLength === 0) return;
    if (answering.has(socket)) refusals.count("stalled");
    socket.destroy();
  });

  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const late = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    // Browsers open connections that they may never use.
    if (late && (socket as Socket).bytesRead > 0) refusals.count("heads");
    answerRaw(socket, ...misunderstood(error.code));
  });

  server.on("connect", (_request, socket) => answerRaw(socket, 501, "method_not_allowed", NO_SUCH_METHOD));
  if (upgrade) {
    server.on("upgrade", (request, socket, head) => {
      connections.work(socket as Socket);
      nameClient(request, isTrusted);
      upgrade(request, socket, head);
    });
  }
  server.on("close", () => {
    bodies.close();
    refusals.close();
  });
  return server;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function refuseMethod(response: ServerResponse): void {
  response
    .writeHead(405, { allow: METHODS.join(", "), "content-type": "application/json", connection: "close" })
    .end(JSON.stringify({ error: { code: "method_not_allowed", message: NO_SUCH_METHOD } }));
}

function misunderstood(code = ""): [status: number, code: string, message: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "timeout", "The request did not arrive in time."];
  if (code === "HPE_INVALID_METHOD") return [501, "method_not_allowed", NO_SUCH_METHOD];
  if (code === "HPE_HEADER_OVERFLOW") return [431, "too_large", "The headers of this request are too long."];
  return [400, "bad_request", "This is not a request that can be understood."];
}
