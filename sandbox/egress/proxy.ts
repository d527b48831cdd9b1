// One connection from sandboxed code, from its first byte to its last: read what is asked, decide, look up, connect,
// relay. Every way out passes through here, and every refusal is told to the client and to the caller.

import type { Duplex } from "node:stream";
import { helloGate } from "./client-hello.ts";
import { closeGently } from "./close-gently.ts";
import type { Denial } from "./denial-log.ts";
import type { Dial } from "./dial.ts";
import type { EgressLimits, Place } from "./egress-limits.ts";
import { forward } from "./forward.ts";
import type { Permission, Policy } from "./policy.ts";
import { type ProxyRequest, parseProxyRequest } from "./proxy-request.ts";
import { readHead } from "./read-head.ts";
import { formatRefusal, isDenial, Refusal } from "./refusal.ts";
import { relay } from "./relay.ts";
import { type Lookup, resolveChecked } from "./resolve.ts";

export type ProxyOptions = {
  enter: () => Place;
  decide: Policy;
  limits: EgressLimits;
  lookups: Record<Permission["lookup"], Lookup>;
  dial: Dial;
  isOwn: (address: string) => boolean;
  onDenied: (denial: Denial) => void;
  /** It passed the policy and is on its way. */
  onAllowed?: () => void;
  onFailed: (error: unknown) => void;
};

/** Resolves when the client is done with, whatever happened. */
export async function proxy(client: Duplex, options: ProxyOptions): Promise<void> {
  const departure = new AbortController();
  // A client that breaks off is closed, and that is all there is to know.
  client.on("error", () => undefined).once("close", () => departure.abort());
  let place: Place | undefined;
  let request: ProxyRequest | undefined;
  try {
    place = options.enter();
    await place.pace(departure.signal);
    const { headBytes: maxBytes, headMs: timeoutMs } = options.limits;
    request = parseProxyRequest(await readHead(client, { maxBytes, timeoutMs }));
    await serve(client, request, place, departure.signal, options);
  } catch (error) {
    if (error instanceof Refusal) closeGently(client, formatRefusal(error));
    else client.destroy();
    if (error instanceof Refusal) report(error, request, options);
    else if (!departure.signal.aborted) options.onFailed(error);
  } finally {
    if (!client.closed) await new Promise((resolve) => client.once("close", resolve));
    place?.release();
  }
}

async function serve(
  client: Duplex,
  request: ProxyRequest,
  { count }: Place,
  signal: AbortSignal,
  { decide, limits, lookups, dial, isOwn, onAllowed }: ProxyOptions,
): Promise<void> {
  const { host, port, method, framing } = request;
  const { trusted, tls, ...permission } = decide({ host, port, method, hasBody: framing.kind !== "none" });
  const lookup = lookups[permission.lookup];
  const addresses = await resolveChecked(host, { lookup, trusted, isOwn, timeoutMs: limits.lookupMs });
  const site = await dial({ addresses, host, port, timeoutMs: limits.connectMs, signal });
  onAllowed?.();
  if (method !== "CONNECT") return forward(client, site, request, { count, idleMs: limits.idleMs });
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  const outgoing = tls === "any" ? undefined : helloGate(host, tls);
  await relay(client, site, { count, idleMs: limits.idleMs, ...(outgoing && { outgoing }) });
}

function report(
  { reason, message, host }: Refusal,
  request: ProxyRequest | undefined,
  options: ProxyOptions,
): void {
  if (!isDenial(reason)) return;
  options.onDenied({ host: request?.host ?? host ?? "*", port: request?.port ?? 0, reason, message });
}
