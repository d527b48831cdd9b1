// Says who is calling. What a client claims about itself in headers is taken away; behind us `x-forwarded-for` holds one
// address, and it is true.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** What a proxy may say besides; nobody else may. */
const CLAIMS = ["x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"];
/** What nobody here reads, so that nobody begins to. */
const UNREAD = ["forwarded", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];

export function nameClient(request: IncomingMessage, isTrusted: TrustedProxies): void {
  const { headers, socket } = request;
  const neighbour = plainAddress(socket.remoteAddress);
  const trusted = isTrusted(neighbour);
  const client = trusted ? clientBehind(headers["x-forwarded-for"], isTrusted) : undefined;
  for (const name of trusted ? UNREAD : [...UNREAD, ...CLAIMS]) delete headers[name];
  headers["x-forwarded-for"] = client ?? neighbour;
}

/** An IPv4 address is written as one, also where the socket speaks IPv6. */
export function plainAddress(address = "unknown"): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The last hop that isn't a proxy of ours: all before it was written by strangers. Nothing if it isn't a list of addresses. */
function clientBehind(header: string | string[] | undefined, isTrusted: TrustedProxies): string | undefined {
  const hops = String(header ?? "")
    .split(",")
    .map((hop) => addressIn(hop.trim()));
  const known = hops.slice(hops.lastIndexOf(undefined) + 1);
  return hops.at(-1) === undefined ? undefined : (known.findLast((hop) => !isTrusted(hop ?? "")) ?? known[0]);
}

/** Some proxies write the port, too. */
function addressIn(hop: string): string | undefined {
  const address = plainAddress(/^\[([^\]]+)\](:\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1"));
  return isIP(address) ? address : undefined;
}
