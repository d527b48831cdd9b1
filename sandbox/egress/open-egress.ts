// The way out of the sandboxes. A machine has no network; each connection its code makes arrives here as a stream,
// with the id of the user it belongs to, and leaves only as far as the policy allows.

import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { type Logger, silentLogger } from "../logger.ts";
import { nobodyWatches, type Observer } from "../observer.ts";
import { type Denial, denialLog, type RecordedDenial } from "./denial-log.ts";
import { type Dial, dial } from "./dial.ts";
import { DEFAULT_LIMITS, type EgressLimits, egressLimits } from "./egress-limits.ts";
import { createPolicy, type EgressMode, type EgressRequest } from "./policy.ts";
import { proxy } from "./proxy.ts";
import { PUBLIC_REGISTRIES, type Registry } from "./registries.ts";
import { dnsLookup, type Lookup, sharedLookup, systemLookup } from "./resolve.ts";

export type EgressOptions = {
  mode: EgressMode;
  /** `host` or `host:port`; only the latter may be at a private address. */
  allow?: readonly string[];
  /** On top of npm's and PyPI's own. */
  registries?: readonly Registry[];
  limits?: Partial<EgressLimits>;
  /** Told of each, however often the same is asked for. */
  onDenied?: (userId: string, denial: Denial) => void;
  log?: Logger;
  observer?: Pick<Observer, "count">;
  /** Names of registries and of the allowlist, as the host knows them. */
  lookup?: Lookup;
  /** All other names. */
  dnsLookup?: Lookup;
  dial?: Dial;
  ownAddresses?: () => string[];
};

export type Egress = {
  /** Speaks the HTTP proxy protocol on `client`. Resolves when it is closed, never rejects. */
  serve: (userId: string, client: Duplex, hooks?: { onDenied?: (denial: Denial) => void }) => Promise<void>;
  denials: (userId: string, sinceMs: number) => RecordedDenial[];
  /** Replaces the allowlist for every connection from now on. Throws if an entry can't be understood. */
  allow: (entries: readonly string[]) => void;
  /** Ends all connections and takes no new ones. */
  close: () => void;
};

export function openEgress(options: EgressOptions): Egress {
  const {
    mode,
    allow = [],
    registries = [],
    log = silentLogger,
    observer = nobodyWatches,
    ownAddresses = interfaceAddresses,
  } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const allRegistries = [...PUBLIC_REGISTRIES, ...registries];
  const policyFor = (entries: readonly string[]) =>
    createPolicy({ mode, allow: entries, registries: allRegistries });
  let policy = policyFor(allow);
  const places = egressLimits(limits);
  const denials = denialLog();
  const clients = new Set<Duplex>();
  let closed = false;
  const shared = {
    decide: (request: EgressRequest) => policy(request),
    limits,
    dial: options.dial ?? dial,
    lookups: {
      system: sharedLookup(options.lookup ?? systemLookup),
      dns: sharedLookup(options.dnsLookup ?? dnsLookup()),
    },
    isOwn: (address: string) => ownAddresses().includes(address),
  };

  return {
    async serve(userId, client, { onDenied } = {}) {
      if (closed) return void client.destroy();
      clients.add(client.once("close", () => clients.delete(client)));
      await proxy(client, {
        ...shared,
        enter: () => places.enter(userId),
        onDenied(denial) {
          onDenied?.(denial);
          options.onDenied?.(userId, denial);
          observer.count("egress_denied");
          // A loop that is denied a thousand times a second fills no log.
          if (denials.add(userId, denial) === 1)
            log.info({ userId, ...denial }, "A connection out of a sandbox was denied.");
        },
        onAllowed: () => observer.count("egress_allowed"),
        onFailed: (error) => log.error({ userId, error }, "A connection out of a sandbox failed."),
      });
    },
    denials: denials.since,
    allow(entries) {
      policy = policyFor(entries);
    },
    close() {
      closed = true;
      for (const client of clients) client.destroy();
    },
  };
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}
