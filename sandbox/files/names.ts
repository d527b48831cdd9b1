// File names are bytes. In a string, a byte that isn't UTF-8 is a lone surrogate U+DC80–U+DCFF, so names survive a
// round trip; such a string isn't well-formed, so encode it with these before it meets a URL, a database or a page.

export function nameToBytes(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name);
  const parts: Buffer[] = [];
  for (const character of name) {
    const code = character.codePointAt(0) as number;
    parts.push(isEscapedByte(code) ? Buffer.from([code - 0xdc00]) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

export function nameFromBytes(bytes: Uint8Array): string {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at, strict);
    name += length
      ? strict.decode(bytes.subarray(at, at + length))
      : String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += length || 1;
  }
  return name;
}

/** For people: bytes that aren't UTF-8, control characters and marks that reorder text become visible escapes. */
export function displayName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    if (isEscapedByte(code)) return `\\x${(code - 0xdc00).toString(16)}`;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

function isEscapedByte(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

/** How many bytes at `at` are one UTF-8 character; 0 if they are none. */
function sequenceLength(bytes: Uint8Array, at: number, strict: TextDecoder): number {
  const first = bytes[at] as number;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length > 1 && first < 0xc2) return 0;
  try {
    strict.decode(bytes.subarray(at, at + length));
    return at + length <= bytes.length ? length : 0;
  } catch (error) {
    if (error instanceof TypeError) return 0;
    throw error;
  }
}
