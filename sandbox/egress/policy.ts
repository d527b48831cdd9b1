// Decides about one request by its name and port alone, before anything is looked up.

import { isIP } from "node:net";
import { formatAuthority, parseNamedAuthority } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Registry } from "./registries.ts";

export type EgressMode = "off" | "packages" | "open";
/** What of a request the policy looks at. */
export type EgressRequest = { host: string; port: number; method: string; hasBody: boolean };

export type Permission = {
  /** The operator or the registry list vouches for this very host and port, so its address may be private. */
  trusted: boolean;
  /**
   * A tunnel's TLS must ask for the allowed name: one address of a CDN serves everybody's sites. `required` takes
   * nothing but TLS; `checked`, for a port the operator named, takes other protocols as well.
   */
  tls: "required" | "checked" | "any";
  /** Names the operator chose are looked up as the host would; all others by DNS only. */
  lookup: "system" | "dns";
};

export type PolicyOptions = { mode: EgressMode; allow: readonly string[]; registries: readonly Registry[] };
export type Policy = ReturnType<typeof createPolicy>;

/** Throws if an entry of the allowlist can't be understood, so that a typo is found at start. */
export function createPolicy({ mode, allow, registries }: PolicyOptions) {
  const allowlist = new Set(
    allow
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map(normalEntry),
  );

  /** Returns what is permitted or throws a denial. What the operator named is permitted in every mode, `off` included. */
  return function decide(request: EgressRequest): Permission {
    const { host, port } = request;
    const isAddress = isIP(host) !== 0;
    if (allowlist.has(formatAuthority(host, port))) {
      return { trusted: true, tls: isAddress ? "any" : "checked", lookup: "system" };
    }
    if (allowlist.has(formatAuthority(host))) {
      return { trusted: false, tls: isAddress ? "any" : "required", lookup: "system" };
    }
    if (mode === "off") throw denial(request, "egress_off", "This sandbox has no network.");
    const atHost = registries.filter((registry) => registry.host === host);
    if (atHost.some((registry) => registry.port === port && fits(registry, request))) {
      return { trusted: true, tls: isAddress ? "any" : "required", lookup: "system" };
    }
    if (mode === "open") return { trusted: false, tls: "any", lookup: "dns" };
    throw atHost.length > 0 ? misused(atHost, request) : notAllowed(request);
  };
}

/** `host` or `host:port` in the one spelling that requests are compared with. */
function normalEntry(entry: string): string {
  try {
    const { host, port } = parseNamedAuthority(entry);
    return formatAuthority(host, port);
  } catch (cause) {
    const message = `"${entry}" can't be an entry of the egress allowlist: write host or host:port, one per site, without a scheme, a path or a wildcard.`;
    throw new Error(message, { cause });
  }
}

/** Registries are read only: as far as the protocol shows it, nothing but the head of a GET or HEAD goes out. */
function fits({ scheme }: Registry, { method, hasBody }: EgressRequest): boolean {
  if (scheme === "https") return method === "CONNECT";
  return (method === "GET" || method === "HEAD") && !hasBody;
}

function misused(atHost: Registry[], request: EgressRequest): Refusal {
  const origins = atHost
    .map(({ scheme, host, port }) => `${scheme}://${formatAuthority(host, port)}`)
    .join(" or ");
  const same = atHost.some(({ scheme, port }) => port === request.port && scheme === "http");
  if (same && request.method !== "CONNECT") {
    const why = `The registry ${origins} can only be read here: use GET or HEAD without a body.`;
    return denial(request, "read_only", why);
  }
  return denial(request, "port_not_allowed", `The registry is reached as ${origins}, and in no other way.`);
}

function notAllowed(request: EgressRequest): Refusal {
  const why =
    "This sandbox reaches package registries (npm, PyPI) only: install packages from there and work with files in the workspace.";
  return denial(request, "host_not_allowed", why);
}

function denial(
  { host, port }: EgressRequest,
  reason: "egress_off" | "host_not_allowed" | "port_not_allowed" | "read_only",
  why: string,
): Refusal {
  const site = formatAuthority(host, port);
  const help = `Don't retry; if the task needs it, the operator can add ${site} to COVE_EGRESS_ALLOW.`;
  return new Refusal(reason, `Access to ${site} is not allowed. ${why} ${help}`);
}
