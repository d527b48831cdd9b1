// What programs in a sandbox are told about the network, so that curl, git, pip, uv, npm and Python's clients find the
// way out without being configured. Nothing here decides anything: whoever ignores it has no network at all.

/** Where the daemon listens in every sandbox. */
const PROXY = "http://127.0.0.1:3128";

export type Presets = {
  /** The registry that npm installs from, where it isn't npm's own. */
  npm?: string;
  /** The index that pip and uv install from, where it isn't PyPI. */
  pip?: string;
  /** Certificates (PEM) to trust besides the public ones, for a registry or a site of the operator's. */
  ca?: string;
};

/** `trust` is the folder, as a sandbox sees it, with the certificates of `trustFiles`. */
export function presetEnvironment({ npm, pip }: Presets, trust?: string): Record<string, string> {
  return {
    ...bothCases({ HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, ALL_PROXY: PROXY }),
    ...bothCases({ NO_PROXY: "localhost,127.0.0.1,::1" }),
    NODE_USE_ENV_PROXY: "1",
    ...(npm && { npm_config_registry: npm }),
    ...(pip && { PIP_INDEX_URL: pip, UV_INDEX_URL: pip }),
    ...(trust && trustEnvironment(trust)),
  };
}

/** Most programs take a file instead of their own list; Node adds to its list. */
function trustEnvironment(folder: string): Record<string, string> {
  const names = ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO"];
  return {
    ...Object.fromEntries(names.map((name) => [name, `${folder}/all.pem`])),
    NODE_EXTRA_CA_CERTS: `${folder}/extra.pem`,
  };
}

/** Some programs read one spelling, some the other; curl reads HTTP_PROXY in lower case only. */
function bothCases(variables: Record<string, string>): Record<string, string> {
  const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...variables, ...Object.fromEntries(lower) };
}
