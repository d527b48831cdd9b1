// Package registries. Each is one origin: its scheme, host and port.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Logger, silentLogger } from "../logger.ts";
import { parseAuthority } from "./authority.ts";

export type Registry = { scheme: "http" | "https"; host: string; port: number };

/** PyPI's own, which keeps its files at a host apart. npm's is whatever npm itself says. */
export const PUBLIC_REGISTRIES: readonly Registry[] = [
  { scheme: "https", host: "pypi.org", port: 443 },
  { scheme: "https", host: "files.pythonhosted.org", port: 443 },
];

/**
 * The registry that npm on this host installs from. Asking npm covers every file and variable it reads, and its built-in
 * default, which is then the public registry wherever nobody configured another. None where there is no npm, or none that
 * answers: sandboxes then reach only those that are configured.
 */
export async function npmRegistry(log: Logger = silentLogger, npm = "npm"): Promise<Registry[]> {
  const unknown = (details: object) => {
    log.warn(
      details,
      "npm on this host did not say where it installs from: npm in sandboxes may reach nothing.",
    );
    return [];
  };
  try {
    const command = ["config", "get", "registry"];
    const { stdout } = await promisify(execFile)(npm, command, { timeout: 20_000, cwd: "/" });
    const registry = registryFromUrl(stdout.trim());
    return registry ? [registry] : unknown({ said: stdout.slice(0, 200) });
  } catch (err) {
    return unknown({ err });
  }
}

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
