// Turns a name into addresses that may be connected to. The caller connects to these and never to the name, so a
// name that changes its answer between the check and the connection gains nothing.

import dns from "node:dns";
import { isIP } from "node:net";
import { addressKind } from "./addresses.ts";
import { Refusal } from "./refusal.ts";

export type Address = { address: string; family: 4 | 6 };
export type Lookup = (host: string) => Promise<Address[]>;

export type ResolveOptions = {
  lookup: Lookup;
  trusted: boolean;
  timeoutMs: number;
  /** The host's own addresses: even public ones lead to what it serves for itself. */
  isOwn: (address: string) => boolean;
};

const MOST_ADDRESSES = 16;

/**
 * One address out of bounds refuses the whole name: a mix of public and private answers is how rebinding looks,
 * and choosing among them would make the outcome a matter of order.
 */
export async function resolveChecked(host: string, options: ResolveOptions): Promise<Address[]> {
  const version = isIP(host);
  const addresses: Address[] = version
    ? [{ address: host, family: version === 4 ? 4 : 6 }]
    : await within(options.timeoutMs, host, options.lookup(host));
  if (addresses.length === 0) throw notFound(host);
  if (
    !options.trusted &&
    addresses.some(({ address }) => addressKind(address) !== "public" || options.isOwn(address))
  ) {
    const message = `${host} leads to a private or reserved address, which sandboxes never reach. Use a public address; if this one is meant, the operator can add its host:port to COVE_EGRESS_ALLOW.`;
    throw new Refusal("private_address", message);
  }
  return addresses.slice(0, MOST_ADDRESSES);
}

/** As any program of the host: its hosts file, its resolver. Takes a thread of the pool, so only for known names. */
export const systemLookup: Lookup = async (host) => {
  const addresses = await dns.promises.lookup(host, { all: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** DNS alone, without threads: names made up by sandboxed code can neither block others nor meet local aliases. */
export function dnsLookup(resolver = new dns.promises.Resolver({ timeout: 2000, tries: 2 })): Lookup {
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    return [
      ...(v4.status === "fulfilled" ? v4.value : []).map((address) => ({ address, family: 4 as const })),
      ...(v6.status === "fulfilled" ? v6.value : []).map((address) => ({ address, family: 6 as const })),
    ];
  };
}

/** Those who ask for one name at the same time wait for one answer. */
export function sharedLookup(lookup: Lookup): Lookup {
  const underway = new Map<string, Promise<Address[]>>();
  return (host) => {
    const answer = underway.get(host) ?? lookup(host).finally(() => underway.delete(host));
    underway.set(host, answer);
    return answer;
  };
}

async function within(timeoutMs: number, host: string, lookup: Promise<Address[]>): Promise<Address[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const refusal = new Refusal("lookup_timeout", `Looking up ${host} took too long: try again in a moment.`);
    timer = setTimeout(reject, timeoutMs, refusal);
  });
  try {
    return await Promise.race([lookup, late]);
  } catch (error) {
    throw error instanceof Refusal ? error : notFound(host, error);
  } finally {
    clearTimeout(timer);
  }
}

function notFound(host: string, cause?: unknown): Refusal {
  return new Refusal("name_not_found", `${host} can't be found: check the name.`, { cause });
}
