// Reads `host` and `host:port` as the sandboxed code spells them. One spelling per host remains: what a resolver
// or a socket might understand in another way than the policy (0x7f.1, user@host, fe80::1%eth0) is refused.

import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { Refusal } from "./refusal.ts";

export type Authority = { host: string; port: number | undefined };

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A host in brackets is an IPv6 address; it comes back without them, in its shortest form. */
export function parseAuthority(text: string): Authority {
  const parts = /^(\[[^[\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(text);
  if (!parts) throw badHost(text);
  const [, host = "", port] = parts;
  return { host: parseHost(host, text), port: port === undefined ? undefined : parsePort(port, text) };
}

/** The operator's own words may hold letters of any language. */
export function parseNamedAuthority(text: string): Authority {
  const colon = text.lastIndexOf(":");
  const [host, port] = colon > text.lastIndexOf("]") ? [text.slice(0, colon), text.slice(colon)] : [text, ""];
  return parseAuthority(/^[!-~]*$/.test(host) ? text : domainToASCII(host) + port);
}

/** `example.com:443`, `[2001:db8::1]:443`: how an authority is written for people and for the Host header. */
export function formatAuthority(host: string, port?: number): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

function parseHost(text: string, whole: string): string {
  if (text.startsWith("[")) {
    const address = text.slice(1, -1);
    if (isIP(address) !== 6 || address.includes("%")) throw badHost(whole);
    return new URL(`http://${text}`).hostname.slice(1, -1);
  }
  const host = text.toLowerCase().replace(/\.$/, "");
  if (host.length > 253 || !host.split(".").every((label) => LABEL.test(label))) throw badHost(whole);
  // The URL standard reads numbers of any base as an address and rejects broken punycode: both differ from `host`.
  if (URL.parse(`http://${host}`)?.hostname !== host) throw badHost(whole);
  return host;
}

function parsePort(text: string, whole: string): number {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badHost(whole);
  return port;
}

function badHost(text: string): Refusal {
  const host = text.slice(0, 253);
  const message = `"${host}" is not a host in plain form: write a name or an address such as example.com:443 or 192.0.2.1, without a user, a zone or another base.`;
  return new Refusal("bad_host", message, { host });
}
