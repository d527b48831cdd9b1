// Finds Debian's own mirror in the text of a host's apt configuration, so that the sandbox image is built
// wherever the host itself can install packages. Nothing here touches the host.

export type AptEntry = { uris: string[]; suites: string[]; components: string[]; signedBy: string };
export type Mirrors = { main?: string; security?: string };

/** The mirrors that serve Debian's main archive and its security updates; neither if no entry is surely Debian's. */
export function debianMirrors(entries: AptEntry[]): Mirrors {
  const sources = entries
    .filter((entry) => entry.components.includes("main"))
    .flatMap((entry) =>
      entry.uris.filter(isUsable).map((uri) => ({ ...entry, uri: uri.replace(/\/+$/, "") })),
    );
  const updated = new Set(
    sources.filter((source) => source.suites.some(isUpdates)).map((source) => source.uri),
  );
  const main = sources
    .filter((source) => source.suites.some((suite) => DEBIAN_SUITES.has(suite)))
    .find((source) => isDebians(source) || updated.has(source.uri));
  if (!main) return {};
  const security = sources.find((source) => source.suites.some(isSecurity));
  return { main: main.uri, ...(security && { security: security.uri }) };
}

/** `deb [options] uri suite component…`, one entry a line. */
export function parseSourcesList(text: string): AptEntry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const match = ONE_LINE.exec(line.replace(/#.*/, "").trim());
    if (!match) return [];
    const [, options = "", uri = "", suite = "", components = ""] = match;
    const signedBy = /(?:^|\s)signed-by=(\S+)/i.exec(options)?.[1] ?? "";
    return [{ uris: [uri], suites: [suite], components: words(components), signedBy }];
  });
}

/** The deb822 format of `*.sources`: stanzas of fields, with comments anywhere and values that go on in the next line. */
export function parseDeb822(text: string): AptEntry[] {
  return stanzas(text)
    .filter(
      (field) => words(field.get("types")).includes("deb") && !DISABLED.test(field.get("enabled") ?? ""),
    )
    .map((field) => ({
      uris: words(field.get("uris")),
      suites: words(field.get("suites")),
      components: words(field.get("components")),
      signedBy: field.get("signed-by") ?? "",
    }));
}

const DEBIAN_SUITES = new Set(
  "buster bullseye bookworm trixie forky duke sid oldoldstable oldstable stable testing unstable".split(" "),
);
const ONE_LINE = /^deb(?:\s+\[([^\]]*)\])?\s+(\S+)\s+(\S+)(?:\s+(.*))?$/;
const DISABLED = /^(no|false|without|off|disable|0)$/i;

const isUpdates = (suite: string) =>
  DEBIAN_SUITES.has(suite.replace(/-updates$/, "")) && suite.endsWith("-updates");
const isSecurity = (suite: string) =>
  DEBIAN_SUITES.has(suite.replace(/(-security|\/updates)$/, "")) && /-security$|\/updates$/.test(suite);

// Other vendors' archives use Debian's suite names and a `main` of their own, so the name of the suite is not enough.
const isDebians = (source: { uri: string; signedBy: string }) =>
  source.signedBy.includes("debian-archive") || /\/debian$/.test(source.uri);

// Passwords would stay in the image's history, and the engine has no use for a disc or a file of the host's.
function isUsable(uri: string): boolean {
  if (!/^https?:/.test(uri) || uri.includes("$(") || !URL.canParse(uri)) return false;
  const { username, password } = new URL(uri);
  return !username && !password;
}

function stanzas(text: string): Map<string, string>[] {
  const all: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  let name = "";
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    if (!line.trim()) {
      current = undefined;
      continue;
    }
    if (!current) {
      current = new Map();
      all.push(current);
    }
    const field = /^([^\s:]+):\s*(.*)$/.exec(line);
    if (field) {
      name = (field[1] ?? "").toLowerCase();
      current.set(name, (field[2] ?? "").trim());
    } else if (/^\s/.test(line)) {
      current.set(name, `${current.get(name) ?? ""} ${line.trim()}`.trim());
    }
  }
  return all;
}

function words(text = ""): string[] {
  return text.split(/\s+/).filter(Boolean);
}
