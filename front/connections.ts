// Who is connected. Where there is no room for one more, the connection that has kept us waiting longest makes it: whoever has
// a request being answered, and takes the answer, is never cut off for somebody who may have none.
import type { Socket } from "node:net";

interface Neighbours {
  open: number;
  waiting: Set<Socket>;
}

export class Connections {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #open = new Map<Socket, Neighbours | undefined>();
  readonly #byNetwork = new Map<string, Neighbours>();
  /** Those from whom something is still to come, a request or the rest of one, or who don't take theirs; the longest wait first. */
  readonly #waiting = new Set<Socket>();
  readonly #onDisplaced: () => void;

  constructor(limits: { connections: number; connectionsOfOne: number }, onDisplaced: () => void) {
    this.#most = limits.connections;
    this.#mostOfOne = limits.connectionsOfOne;
    this.#onDisplaced = onDisplaced;
  }

  get size(): number {
    return this.#open.size;
  }

  /** False if there is no room. Without a network it is somebody who speaks for many, and only the whole is limited. */
  admit(socket: Socket, network: string | undefined): boolean {
    const neighbours = network === undefined ? undefined : this.#neighbours(network);
    if (neighbours && neighbours.open >= this.#mostOfOne && !this.#displace(neighbours.waiting)) return false;
    if (this.#open.size >= this.#most && !this.#displace(this.#waiting)) return false;
    this.#open.set(socket, neighbours);
    if (neighbours && network !== undefined) {
      neighbours.open++;
      this.#byNetwork.set(network, neighbours);
    }
    this.wait(socket);
    socket.once("close", () => {
      this.#forget(socket);
      if (network !== undefined && neighbours?.open === 0) this.#byNetwork.delete(network);
    });
    return true;
  }

  /** It is this client's turn. */
  wait(socket: Socket): void {
    if (!this.#open.has(socket)) return;
    this.#waiting.add(socket);
    this.#open.get(socket)?.waiting.add(socket);
  }

  /** It is our turn. */
  work(socket: Socket): void {
    this.#waiting.delete(socket);
    this.#open.get(socket)?.waiting.delete(socket);
  }

  #neighbours(network: string): Neighbours {
    return this.#byNetwork.get(network) ?? { open: 0, waiting: new Set() };
  }

  #displace([longest]: Set<Socket>): boolean {
    if (!longest) return false;
    this.#forget(longest);
    longest.destroy();
    this.#onDisplaced();
    return true;
  }

  /** At once, and not when the socket has closed: many may come before that. */
  #forget(socket: Socket): void {
    if (!this.#open.has(socket)) return;
    this.work(socket);
    const neighbours = this.#open.get(socket);
    if (neighbours) neighbours.open--;
    this.#open.delete(socket);
  }
}
