// Reads the first message of TLS as far as the name it asks for. A policy that allows one site of a CDN must not
// open all the others that live at the same address.

import { Refusal } from "./refusal.ts";

export type Hello =
  | { kind: "incomplete" }
  | { kind: "not_tls" }
  | { kind: "malformed" }
  /** The name that counts is in a part that only the site can read. */
  | { kind: "encrypted" }
  | { kind: "hello"; name: string | undefined };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
/** Encrypted Client Hello, and the encrypted server name that came before it. */
const ENCRYPTED_NAMES = new Set([0xfe0d, 0xffce]);
const LONGEST = 16 * 1024;

/** Holds back what the client sends until it has asked for `expected`, then lets everything pass. */
export function helloGate(expected: string, tls: "required" | "checked"): (chunk: Buffer) => Buffer {
  const read = helloReader();
  let held: Buffer[] | undefined = [];
  return (chunk) => {
    if (!held) return chunk;
    held.push(chunk);
    const hello = read(chunk);
    if (hello.kind === "incomplete") return Buffer.alloc(0);
    const fits =
      hello.kind === "hello" ? hello.name === expected : hello.kind === "not_tls" && tls === "checked";
    if (!fits) throw mismatch(expected, hello);
    const released = Buffer.concat(held);
    held = undefined;
    return released;
  };
}

/**
 * Takes the bytes as they come, each once; the message may be spread over records. Other protocols are told by their
 * first two bytes: what begins like TLS and can't be read might still be read by the site.
 */
export function helloReader(): (chunk: Buffer) => Hello {
  const message = Buffer.alloc(LONGEST);
  const header = Buffer.alloc(5);
  let size = 0;
  let headerSize = 0;
  let recordLeft = 0;
  let seen = 0;

  return (chunk) => {
    seen += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      if (recordLeft === 0) {
        header[headerSize++] = chunk[at++] ?? 0;
        if (header[0] !== HANDSHAKE || (headerSize > 1 && header[1] !== 3)) {
          return { kind: size === 0 ? "not_tls" : "malformed" };
        }
        if (headerSize < 5) continue;
        headerSize = 0;
        recordLeft = header.readUInt16BE(3);
        if (recordLeft === 0) return { kind: "malformed" };
      }
      const copied = chunk.copy(message, size, at, at + recordLeft);
      at += copied;
      size += copied;
      recordLeft -= copied;
      if (size > 0 && message[0] !== CLIENT_HELLO) return { kind: "malformed" };
      const end = size >= 4 ? 4 + message.readUIntBE(1, 3) : Number.POSITIVE_INFINITY;
      if (size >= end) return nameIn(message.subarray(4, end));
      if (size === LONGEST) return { kind: "malformed" };
    }
    return seen > 4 * LONGEST ? { kind: "malformed" } : { kind: "incomplete" };
  };
}

function nameIn(hello: Buffer): Hello {
  try {
    const fields = reader(hello);
    fields.skip(2 + 32);
    fields.skip(fields.u8());
    fields.skip(fields.u16());
    fields.skip(fields.u8());
    if (fields.atEnd()) return { kind: "hello", name: undefined };
    const extensions = reader(fields.take(fields.u16()));
    let name: string | undefined;
    let encrypted = false;
    while (!extensions.atEnd()) {
      const type = extensions.u16();
      const body = extensions.take(extensions.u16());
      if (ENCRYPTED_NAMES.has(type)) encrypted = true;
      if (type !== SERVER_NAME) continue;
      if (name !== undefined) return { kind: "malformed" };
      name = onlyName(body);
    }
    return encrypted ? { kind: "encrypted" } : { kind: "hello", name };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "malformed" };
    throw error;
  }
}

/** Throws if there is more than one: servers differ in which they choose. */
function onlyName(body: Buffer): string {
  const list = reader(body);
  const names = reader(list.take(list.u16()));
  if (names.u8() !== 0) throw new RangeError("another kind of name");
  const name = names.take(names.u16());
  if (!names.atEnd() || !list.atEnd()) throw new RangeError("more than one name");
  return name.toString("latin1").toLowerCase();
}

function reader(bytes: Buffer) {
  let at = 0;
  const take = (size: number) => {
    if (at + size > bytes.length) throw new RangeError("a field ends too early");
    at += size;
    return bytes.subarray(at - size, at);
  };
  return {
    take,
    skip: (size: number) => void take(size),
    u8: () => take(1).readUInt8(),
    u16: () => take(2).readUInt16BE(),
    atEnd: () => at === bytes.length,
  };
}

function mismatch(expected: string, hello: Hello): Refusal {
  const open = `it is open for TLS connections that ask for ${expected} only`;
  if (hello.kind === "encrypted") {
    const message = `The tunnel to ${expected} carried an encrypted name (ECH): ${open}, and in a way that can be read. Turn Encrypted Client Hello off in the client.`;
    return new Refusal("name_encrypted", message);
  }
  const contents =
    hello.kind !== "hello" ? "no proper TLS" : hello.name === undefined ? "no name" : "another name";
  return new Refusal("name_mismatch", `The tunnel to ${expected} carried ${contents}: ${open}.`);
}
