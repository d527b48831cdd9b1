// The registries this host itself installs from, as its npm and pip are configured: sandboxes may read those, too.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Registry, registryFromUrl } from "./registries.ts";

export type HostConfiguration = {
  /** The operator's environment, as far as npm and pip read it. */
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Where a project's own .npmrc may lie. */
  project?: string;
  root?: string;
};

/** Reads the files and variables that npm, pip and uv read. A file that isn't there, or not for us, says nothing. */
export async function hostRegistries({
  env,
  home,
  project,
  root = "/",
}: HostConfiguration): Promise<Registry[]> {
  const lower = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name.toLowerCase(), value ?? ""]),
  );
  const npmrcs = [
    lower.npm_config_userconfig || join(home, ".npmrc"),
    lower.npm_config_globalconfig || "",
    ...(project ? [join(project, ".npmrc")] : []),
    ...["etc/npmrc", "usr/etc/npmrc", "usr/local/etc/npmrc"].map((path) => join(root, path)),
  ];
  const pips = [
    lower.pip_config_file || "",
    join(root, "etc/pip.conf"),
    join(home, ".pip/pip.conf"),
    join(lower.xdg_config_home || join(home, ".config"), "pip/pip.conf"),
    join(home, "Library/Application Support/pip/pip.conf"),
  ];
  const found = [
    ...(await texts(npmrcs)).flatMap((text) => npmRegistries(text, env)),
    ...(await texts(pips)).flatMap(pipRegistries),
    ...fromUrls(
      ["npm_config_registry", "pip_index_url", "pip_extra_index_url", "uv_default_index", "uv_index"]
        .concat("uv_index_url", "uv_extra_index_url")
        .flatMap((name) => (lower[name] ?? "").split(/\s+/)),
    ),
  ];
  return [...new Map(found.map((one) => [`${one.scheme} ${one.host} ${one.port}`, one])).values()];
}

/** An .npmrc, or what `npm config list` prints: `registry = "…"` and `@scope:registry = "…"`. */
export function npmRegistries(text: string, env: HostConfiguration["env"] = {}): Registry[] {
  const urls = text.split(/\r?\n/).map((line) => {
    const value = /^\s*(?:@[^\s:=]+:)?registry\s*=(.*)$/.exec(line)?.[1] ?? "";
    return unquoted(value).replace(/\$\{([^}]*)\}/g, (_whole, name: string) => env[name] ?? "");
  });
  return fromUrls(urls);
}

/** A pip.conf, or what `pip config list` prints. Values may hold several addresses, also on indented lines. */
export function pipRegistries(text: string): Registry[] {
  const urls: string[] = [];
  let inIndex = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const continued = /^\s/.test(line);
    const value = /^(?:\S+\.)?(?:extra[-_])?index[-_]url\s*[=:](.*)$/.exec(line)?.[1];
    if (!continued) inIndex = value !== undefined;
    if (inIndex) urls.push(...unquoted(continued ? line : (value ?? "")).split(/(?:\s|\\n)+/));
  }
  return fromUrls(urls);
}

function fromUrls(urls: string[]): Registry[] {
  // uv's variables may give an index a name: `corp=https://…`.
  const found = urls.map((url) => registryFromUrl(url.replace(/^[\w.-]+=(?=https?:)/, "")));
  return found.filter((registry) => registry !== undefined);
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, "$2");
}

async function texts(paths: string[]): Promise<string[]> {
  return Promise.all(paths.filter(Boolean).map(readIfThere));
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (["ENOENT", "EACCES", "EISDIR", "ENOTDIR"].includes(String(code))) return "";
    throw error;
  }
}
