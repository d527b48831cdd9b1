// Bodies of requests on their way. Each goes on for as long as it comes at a least rate; time that we ourselves take doesn't count.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Limits } from "./limits.ts";

interface Body {
  request: IncomingMessage;
  response: ServerResponse;
  /** When this window began, and how much had come by then. */
  since: number;
  bytes: number;
  answeredAt?: number;
}

interface Handlers {
  /** The client keeps its word, or it is we who let it wait. */
  onProgress(body: IncomingMessage): void;
  onWait(body: IncomingMessage): void;
  onGivenUp(request: IncomingMessage, response: ServerResponse): void;
}

/** The part of a window after which a body counts as one that keeps us waiting: real uploads are many times faster. */
const SLOW = 0.25;

type BodyLimits = Pick<Limits, "bodyWindowMs" | "bodyBytes" | "lingerMs" | "refusedLingerMs" | "lookMs">;

export class RequestBodies {
  readonly #limits: BodyLimits;
  readonly #handlers: Handlers;
  readonly #bodies = new Set<Body>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: BodyLimits, handlers: Handlers) {
    this.#limits = limits;
    this.#handlers = handlers;
    this.#timer = setInterval(() => this.#look(), limits.lookMs).unref();
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const { bytesRead } = request.socket;
    const body: Body = { request, response, since: Date.now(), bytes: bytesRead };
    this.#bodies.add(body);
    request.once("close", () => this.#bodies.delete(body));
    // Most come in one piece with their head.
    setImmediate(() => request.complete && this.#end(body));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = Date.now();
    for (const body of this.#bodies) {
      const { request, response } = body;
      if (request.complete || request.socket.destroyed) this.#end(body);
      else if (this.#isTooSlow(body, now)) {
        this.#bodies.delete(body);
        this.#handlers.onGivenUp(request, response);
      }
    }
  }

  #isTooSlow(body: Body, now: number): boolean {
    const { bodyWindowMs, bodyBytes, lingerMs, refusedLingerMs } = this.#limits;
    const { request, response } = body;
    const received = request.socket.bytesRead;
    // What came has not been read yet, so no more is let in.
    const ourTurn = request.readableLength >= request.readableHighWaterMark;
    if (ourTurn || received - body.bytes >= bodyBytes) {
      body.since = now;
      body.bytes = received;
      this.#handlers.onProgress(request);
    }
    const silentMs = now - body.since;
    if (silentMs > bodyWindowMs * SLOW) this.#handlers.onWait(request);
    if (response.writableFinished) body.answeredAt ??= now;
    const mostMs = response.statusCode >= 400 ? refusedLingerMs : lingerMs;
    return silentMs > bodyWindowMs || now - (body.answeredAt ?? now) > mostMs;
  }

  #end(body: Body): void {
    this.#bodies.delete(body);
    if (!body.request.socket.destroyed) this.#handlers.onProgress(body.request);
  }
}
