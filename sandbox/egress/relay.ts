// Carries bytes between a client and the site it asked for. Each side is read only as fast as the other takes it.

import type { Duplex } from "node:stream";
import { closeGently } from "./close-gently.ts";

export type RelayOptions = {
  /** Sees the bytes of both directions. This and all below may throw, which ends the relay. */
  count: (bytes: number) => void;
  /** What goes on of what the client sends, and of what the site sends. */
  outgoing?: (chunk: Buffer) => Buffer;
  incoming?: (chunk: Buffer) => Buffer;
  /** A client that has said everything may still listen. Unset: the site is told that no more comes. */
  onClientEnd?: () => void;
  onSiteClose?: () => void;
  /** The site's last byte ends everything, as in HTTP with one request per connection. */
  endsWithSite?: boolean;
  /** What the client is told when something threw, if it can still be told. */
  lastWords?: (error: unknown) => Buffer | undefined;
  /** Without a byte either way for so long, it is over. */
  idleMs: number;
};

/** Resolves when both sides are closed, rejects with what was thrown on the way. */
export function relay(client: Duplex, site: Duplex, options: RelayOptions): Promise<void> {
  const { count, onClientEnd = () => site.end(), onSiteClose, endsWithSite, lastWords, idleMs } = options;
  return new Promise((resolve, reject) => {
    let failed: { error: unknown } | undefined;
    const fail = (error: unknown) => {
      if (failed) return;
      failed = { error };
      const words = lastWords?.(error);
      if (words) closeGently(client, words);
      else client.destroy();
      site.destroy();
    };
    const attempt = (step: () => void) => {
      if (failed) return;
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };
    const idle = setTimeout(() => {
      client.destroy();
      site.destroy();
    }, idleMs);

    const carry = (from: Duplex, to: Duplex, pass: (chunk: Buffer) => Buffer) => {
      const take = (chunk: Buffer) => {
        idle.refresh();
        attempt(() => {
          count(chunk.length);
          const out = pass(chunk);
          if (out.length > 0 && to.writable && !to.write(out)) from.pause();
        });
      };
      from.on("data", take);
      to.on("drain", () => {
        idle.refresh();
        from.resume();
      });
    };
    const settle = () => {
      if (!client.closed || !site.closed) return;
      clearTimeout(idle);
      if (failed) reject(failed.error);
      else resolve();
    };

    for (const side of [client, site]) side.on("error", () => undefined);
    const clientEnded = () => attempt(onClientEnd);
    if (client.readableEnded) clientEnded();
    else client.once("end", clientEnded);
    site.once("end", () => (endsWithSite ? site.destroy() : client.end()));
    // Whoever leaves in order has its last bytes delivered; whoever breaks off takes the other along.
    client.once("close", () => {
      const pending = client.readableEnded && site.writableEnded && !site.writableFinished;
      if (pending) site.once("finish", () => site.destroy());
      else site.destroy();
      settle();
    });
    site.once("close", () => {
      attempt(() => onSiteClose?.());
      if (site.readableEnded) closeGently(client, undefined, idleMs);
      else if (!failed) client.destroy();
      settle();
    });
    if (client.destroyed) site.destroy();
    if (site.destroyed) client.destroy();
    carry(client, site, options.outgoing ?? same);
    carry(site, client, options.incoming ?? same);
    settle();
  });
}

function same(chunk: Buffer): Buffer {
  return chunk;
}
