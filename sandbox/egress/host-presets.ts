// The host's own npm registry, Python index and certificates, for sandboxes to use as well. Credentials stay here.

import { type HostConfiguration, hostFiles, readIfThere, withVariables } from "./host-registries.ts";
import type { Presets } from "./presets.ts";

// pip needs no telling where it looks anyway.
const PUBLIC = ["https://pypi.org/simple/"];

export async function hostPresets(host: HostConfiguration): Promise<Presets> {
  const { env } = host;
  const files = hostFiles(host);
  const npmrcs = await Promise.all(files.npm.map(readIfThere));
  const pipConfs = await Promise.all(files.pip.map(readIfThere));
  const npm = [
    variable(env, "npm_config_registry"),
    ...npmrcs.map((text) => withVariables(setting(text, /^\s*registry\s*=(.*)$/m), env)),
  ];
  const pip = [
    variable(env, "PIP_INDEX_URL"),
    variable(env, "UV_DEFAULT_INDEX"),
    variable(env, "UV_INDEX_URL"),
    ...pipConfs.map((text) => setting(text, /^index[-_]url\s*[=:](.*)$/m)),
  ];
  const trusted = [
    ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "PIP_CERT"].map((name) => variable(env, name)),
    ...npmrcs.map((text) => withVariables(setting(text, /^\s*cafile\s*=(.*)$/m), env)),
  ];
  const ca = (await Promise.all([...new Set(trusted)].filter(Boolean).map(readIfThere))).join("\n");
  return { ...preset("npm", address(npm)), ...preset("pip", address(pip)), ...preset("ca", ca.trim()) };
}

/** The first that is set counts, as it does for npm and pip. */
function address(candidates: string[]): string {
  const url = URL.parse(candidates.find(Boolean) ?? "");
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return "";
  url.username = "";
  url.password = "";
  return PUBLIC.includes(url.href.replace(/\/?$/, "/")) ? "" : url.href;
}

function preset(name: keyof Presets, value: string): Presets {
  return value ? { [name]: value } : {};
}

function variable(env: HostConfiguration["env"], name: string): string {
  return env[name] || env[name.toLowerCase()] || env[name.toUpperCase()] || "";
}

function setting(text: string, pattern: RegExp): string {
  const value = pattern.exec(text)?.[1] ?? "";
  return value.trim().replace(/^(["'])(.*)\1$/, "$2");
}
