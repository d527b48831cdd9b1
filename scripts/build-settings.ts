// What the Dockerfile needs to be built on this host beyond its defaults. The base comes from Debian's packages if no registry
// answers, mirrors and proxies from this host's apt, certificates from its administrator.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type Docker from "dockerode";
import { debianBase } from "#sandbox/docker/build/debian-base.ts";
import { hostMirrors, hostProxies, type Proxies } from "#sandbox/docker/build/host-apt.ts";

export interface BuildArguments extends Proxies {
  BASE: string;
  MIRROR: string;
  SECURITY_MIRROR: string;
  CA_CERTIFICATES: string;
}

/** Where Debian's administrators put certificates of their own. */
const CERTIFICATES = "/usr/local/share/ca-certificates";

export async function buildArguments(
  engine: Docker,
  onProgress: (line: string) => void = () => undefined,
): Promise<BuildArguments> {
  const [{ main, security }, proxies] = [await hostMirrors(), await hostProxies()];
  return {
    ...proxies,
    BASE: await debianBase(engine, { proxies, onProgress, ...(main && { mirror: main }) }),
    MIRROR: main ?? "",
    SECURITY_MIRROR: (main && security) ?? "",
    CA_CERTIFICATES: await ownCertificates(),
  };
}

/** The same as variables of docker-compose.yml. */
export function composeSettings({ http_proxy, https_proxy, ...others }: BuildArguments) {
  return {
    ...(http_proxy && { http_proxy }),
    ...(https_proxy && { https_proxy }),
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [`COVE_${name}`, value])),
    // The host's own name resolution and routes are those that work here.
    COVE_BUILD_NETWORK: "host",
  };
}

async function ownCertificates(): Promise<string> {
  const names = (await readdir(CERTIFICATES).catch(() => [])).filter((name) => name.endsWith(".crt"));
  const texts = await Promise.all(
    names.sort().map((name) => readFile(path.join(CERTIFICATES, name), "utf8")),
  );
  return texts.map((text) => text.trim()).join("\n");
}
