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

/** Reads the files and variables that npm, pip and uv read. */
export async function hostRegistries(host: HostConfiguration): Promise<Registry[]> {
  const { env } = host;
  const lower = lowerCased(env);
  const files = hostFiles(host);
  const registries = [
    ...(await texts(files.npm)).flatMap((text) => npmRegistries(text, env)),
    ...(await texts(files.pip)).flatMap(pipRegistries),
    ...fromUrls(
      ["npm_config_registry", "pip_index_url", "pip_extra_index_url", "uv_default_index", "uv_index"]
        .concat("uv_index_url", "uv_extra_index_url")
        .flatMap((name) => (lower[name] ?? "").split(/\s+/)),
    ),
  ];
  return [...new Map(registries.map((one) => [`${one.scheme} ${one.host} ${one.port}`, one])).values()];
}

/** Where npm and pip look for their settings, those that count more first. */
export function hostFiles({ env, home, project, root = "/" }: HostConfiguration) {
  const lower = lowerCased(env);
  const npm = [
    ...(project ? [join(project, ".npmrc")] : []),
    lower.npm_config_userconfig || join(home, ".npmrc"),
    lower.npm_config_globalconfig || "",
    ...["etc/npmrc", "usr/etc/npmrc", "usr/local/etc/npmrc"].map((path) => join(root, path)),
  ];
  const pip = [
    lower.pip_config_file || "",
    join(lower.xdg_config_home || join(home, ".config"), "pip/pip.conf"),
    join(home, ".pip/pip.conf"),
    join(home, "Library/Application Support/pip/pip.conf"),
    join(root, "etc/pip.conf"),
  ];
  return { npm: npm.filter(Boolean), pip: pip.filter(Boolean) };
}

/** An .npmrc, or what `npm config list` prints: `registry = "…"` and `@scope:registry = "…"`. */
export function npmRegistries(text: string, env: HostConfiguration["env"] = {}): Registry[] {
  const urls = text.split(/\r?\n/).map((line) => {
    const value = /^\s*(?:@[^\s:=]+:)?registry\s*=(.*)$/.exec(line)?.[1] ?? "";
    return withVariables(unquoted(value), env);
  });
  return fromUrls(urls);
}

/** An .npmrc may name variables: `${NAME}`. */
export function withVariables(text: string, env: HostConfiguration["env"]): string {
  return text.replace(/\$\{([^}]*)\}/g, (_whole, name: string) => env[name] ?? "");
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
  const registries = urls.map((url) => registryFromUrl(url.replace(/^[\w.-]+=(?=https?:)/, "")));
  return registries.filter((registry) => registry !== undefined);
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, "$2");
}

async function texts(paths: string[]): Promise<string[]> {
  return Promise.all(paths.map(readIfThere));
}

function lowerCased(env: HostConfiguration["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toLowerCase(), value ?? ""]));
}

/** A file that isn't there, or not for us, says nothing. */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (["ENOENT", "EACCES", "EISDIR", "ENOTDIR"].includes(String(code))) return "";
    throw error;
  }
}
