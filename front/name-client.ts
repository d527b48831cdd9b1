// Says who is calling. What a client claims about itself in headers is taken away; behind us `x-forwarded-for` holds one
// address, and it is true.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Whose word counts about where a request comes from: the reverse proxies that the operator names, and nobody else's. */
export type TrustedProxies = (address: string) => boolean;

/** What a proxy may say besides; nobody else may. */
const CLAIMS = ["x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"];
/** What nobody here reads, so that nobody begins to. */
const UNREAD = ["forwarded", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];

/** Networks by the name that an operator may give them. */
const NETWORKS: Record<string, string[]> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

export function nameClient(request: IncomingMessage, isTrusted: TrustedProxies): void {
  const { headers, socket } = request;
  const neighbour = plainAddress(socket.remoteAddress);
  const trusted = isTrusted(neighbour);
  const client = trusted ? clientBehind(headers["x-forwarded-for"], isTrusted) : undefined;
  for (const name of trusted ? UNREAD : [...UNREAD, ...CLAIMS]) delete headers[name];
  headers["x-forwarded-for"] = client ?? neighbour;
}

/** Of addresses, networks such as 10.0.0.0/8, and words, which `env.ts` has checked. */
export function trustedProxies(names: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const name of names.flatMap((one) => NETWORKS[one] ?? [one])) {
    const [address = "", length] = name.split("/");
    const [family, bits] = isIP(address) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
    list.addSubnet(address, Number(length ?? bits), family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
  };
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
  const addresses = hops.slice(hops.lastIndexOf(undefined) + 1);
  return hops.at(-1) === undefined
    ? undefined
    : (addresses.findLast((hop) => !isTrusted(hop ?? "")) ?? addresses[0]);
}

/** Some proxies write the port, too. */
function addressIn(hop: string): string | undefined {
  const address = plainAddress(/^\[([^\]]+)\](:\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1"));
  return isIP(address) ? address : undefined;
}
