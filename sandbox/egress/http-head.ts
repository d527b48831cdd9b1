// The head of an HTTP/1 message, as strict as the standard allows: what two readers could understand in two ways
// (bare line feeds, folded lines, spaces before a colon) isn't forwarded to see who wins.

export type Head = { start: string; headers: Header[] };
export type Header = readonly [name: string, value: string];

const MOST_HEADERS = 128;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Between us and one neighbour only; whatever Connection names comes on top. */
const HOP_BY_HOP = ["connection", "keep-alive", "te", "trailer", "upgrade", "proxy-connection"];

/** None if it isn't one. `bytes` ends with the empty line. */
export function parseHead(bytes: Buffer): Head | undefined {
  if (!isCleanText(bytes)) return undefined;
  const [start = "", ...lines] = bytes.toString("latin1").slice(0, -4).split("\r\n");
  if (lines.length > MOST_HEADERS) return undefined;
  const headers: Header[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0));
    if (!TOKEN.test(name)) return undefined;
    headers.push([name, trimmed(line.slice(colon + 1))]);
  }
  return { start, headers };
}

export function formatHead({ start, headers }: Head): Buffer {
  const lines = [start, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

export function valuesOf(headers: Header[], name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

/** Without what concerns this hop alone, and without `others`. */
export function endToEnd(headers: Header[], others: readonly string[] = []): Header[] {
  const listedNames = valuesOf(headers, "connection").flatMap((value) => value.toLowerCase().split(/[\s,]+/));
  const dropped = new Set([...HOP_BY_HOP, ...listedNames, ...others]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** Spaces and tabs only: `trim` also takes what other readers of the head would keep. */
function trimmed(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && isBlank(value[from])) from++;
  while (to > from && isBlank(value[to - 1])) to--;
  return value.slice(from, to);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** Lines end with CR LF; no other control character but the tab. */
function isCleanText(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 13 && bytes[at + 1] === 10) at++;
    else if ((byte < 32 && byte !== 9) || byte === 127) return false;
  }
  return true;
}
