// A package registry is one origin: its scheme, host and port.

import { parseAuthority } from "./authority.ts";

export type Registry = { scheme: "http" | "https"; host: string; port: number };

/** PyPI's own, which keeps its files at a host apart. npm's is whatever npm itself says (npm-registry.ts). */
export const PUBLIC_REGISTRIES: readonly Registry[] = [
  { scheme: "https", host: "pypi.org", port: 443 },
  { scheme: "https", host: "files.pythonhosted.org", port: 443 },
];

/** The origin of a configured address, without the credentials it may hold; none if it isn't http or https. */
export function registryFromUrl(text: string): Registry | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  const scheme = url.protocol === "https:" ? "https" : "http";
  try {
    const { host, port } = parseAuthority(url.host);
    return { scheme, host, port: port ?? (scheme === "https" ? 443 : 80) };
  } catch {
    // A host that no client could ask for is no registry.
    return undefined;
  }
}
