// Answers on their way, by connection. A client that takes one below a least rate keeps us waiting, like one that sends too slowly.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "./limits.ts";

interface Answering {
  requests: number;
  /** When this window began, and how much had been taken by then. */
  since: number;
  taken: number;
  slow: boolean;
}

interface Handlers {
  /** The client takes what waits for it again. */
  onProgress(socket: Socket): void;
  onWait(socket: Socket): void;
  /** The last request of this connection has been answered. */
  onDone(socket: Socket): void;
}

type AnswerLimits = Pick<Limits, "answerWindowMs" | "answerBytes" | "lookMs">;

export class Answers {
  readonly #limits: AnswerLimits;
  readonly #handlers: Handlers;
  readonly #answering = new Map<Socket, Answering>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: AnswerLimits, handlers: Handlers) {
    this.#limits = limits;
    this.#handlers = handlers;
    this.#timer = setInterval(() => this.#look(), limits.lookMs).unref();
  }

  /** How many requests of this connection are being answered with it. */
  add(socket: Socket, response: ServerResponse): number {
    const answering = this.#answering.get(socket) ?? {
      requests: 0,
      since: Date.now(),
      taken: bytesTaken(socket),
      slow: false,
    };
    answering.requests++;
    this.#answering.set(socket, answering);
    response.once("close", () => {
      answering.requests--;
      if (answering.requests > 0) return;
      this.#answering.delete(socket);
      this.#handlers.onDone(socket);
    });
    return answering.requests;
  }

  has(socket: Socket): boolean {
    return this.#answering.has(socket);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = Date.now();
    const { answerWindowMs, answerBytes } = this.#limits;
    for (const [socket, answering] of this.#answering) {
      const taken = bytesTaken(socket);
      // An answer may be silent for as long as it likes: its client has taken all there is.
      if (socket.writableLength === 0 || taken - answering.taken >= answerBytes) {
        Object.assign(answering, { since: now, taken });
        if (answering.slow) this.#handlers.onProgress(socket);
        answering.slow = false;
      } else if (now - answering.since > answerWindowMs) {
        answering.slow = true;
        this.#handlers.onWait(socket);
      }
    }
  }
}

/** What has left this process. `bytesWritten` of the socket counts what still waits in it, too. */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
