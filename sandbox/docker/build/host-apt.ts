import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type AptEntry, debianMirrors, type Mirrors, parseDeb822, parseSourcesList } from "./apt-sources.ts";

export type Proxies = { http_proxy?: string; https_proxy?: string };

/** Debian's mirrors as this host's apt knows them; none where the host isn't Debian or has no apt. */
export async function hostMirrors(root = "/"): Promise<Mirrors> {
  const osRelease = await readIfThere(join(root, "etc/os-release"));
  if (!/^ID="?debian"?$/m.test(osRelease)) return {};
  const entries = parseSourcesList(await readIfThere(join(root, "etc/apt/sources.list")));
  const parts = join(root, "etc/apt/sources.list.d");
  for (const name of (await namesIn(parts)).sort()) {
    if (name.endsWith(".list")) entries.push(...parseSourcesList(await readIfThere(join(parts, name))));
    if (name.endsWith(".sources")) entries.push(...parseDeb822(await readIfThere(join(parts, name))));
  }
  return debianMirrors(await Promise.all(entries.map((entry) => withMirrorLists(entry, root))));
}

/** The proxies apt is configured with, under the names that apt, pip and debootstrap read from their environment. */
export async function hostProxies(): Promise<Proxies> {
  try {
    return parseProxies((await promisify(execFile)("apt-config", ["dump"])).stdout);
  } catch (error) {
    if (isMissing(error)) return {};
    throw new Error("apt-config can't read this host's apt configuration: repair it first.", {
      cause: error,
    });
  }
}

/** Reads `Acquire::http::Proxy "…";` and its https sibling, which apt lets default to the former. */
export function parseProxies(dump: string): Proxies {
  const proxy = (scheme: string) => {
    const value = new RegExp(`^Acquire::${scheme}::Proxy "(.*)";$`, "im").exec(dump)?.[1] ?? "";
    return /^(|direct|false)$/i.test(value) ? undefined : value;
  };
  const http = proxy("http");
  const https = proxy("https") ?? http;
  return { ...(http && { http_proxy: http }), ...(https && { https_proxy: https }) };
}

// Debian's cloud images name a local file that lists the mirrors, best first.
async function withMirrorLists(entry: AptEntry, root: string): Promise<AptEntry> {
  const uris = entry.uris.map(async (uri) => {
    const file = /^mirror\+file:(?:\/\/)?(\/.+)$/.exec(uri)?.[1];
    if (!file) return [uri];
    const lines = (await readIfThere(join(root, file))).split("\n");
    return lines.map((line) => line.trim().split(/\s+/)[0] ?? "").filter((listed) => /^https?:/.test(listed));
  });
  return { ...entry, uris: (await Promise.all(uris)).flat() };
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES");
}
