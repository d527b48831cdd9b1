import { once } from "node:events";
import { duplexPair } from "node:stream";
import { connect as tlsConnect } from "node:tls";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { helloGate, helloReader } from "./client-hello.ts";

let hello: Buffer;
let nameless: Buffer;

beforeAll(async () => {
  hello = await helloOf("pypi.org");
  nameless = await helloOf("");
});

test("the name that a real client asks for is read", () => {
  expect(helloReader()(hello)).toEqual({ kind: "hello", name: "pypi.org" });
  expect(helloReader()(nameless)).toEqual({ kind: "hello", name: undefined });
});

test("the name is read however the message is cut into pieces and records", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (record, piece) => {
      const bytes = inRecords(hello, record);
      const read = helloReader();
      let last = read(Buffer.alloc(0));
      for (let at = 0; at < bytes.length && last.kind === "incomplete"; at += piece) {
        last = read(bytes.subarray(at, at + piece));
      }
      expect(last).toEqual({ kind: "hello", name: "pypi.org" });
    }),
  );
});

test("nothing passes the gate before the name does, and then everything in order", () => {
  const gate = helloGate("pypi.org", "required");
  expect(gate(hello.subarray(0, 50))).toHaveLength(0);
  expect(gate(hello.subarray(50))).toEqual(hello);
  expect(gate(Buffer.from("more"))).toEqual(Buffer.from("more"));
});

test("another name, no name and no TLS do not pass", () => {
  expect(() => helloGate("files.example", "required")(hello)).toThrow(/another name/);
  expect(() => helloGate("files.example", "checked")(hello)).toThrow(/another name/);
  expect(() => helloGate("pypi.org", "required")(nameless)).toThrow(/no name/);
  expect(() => helloGate("pypi.org", "required")(Buffer.from("SSH-2.0-x"))).toThrow(/no proper TLS/);
});

test("where TLS is only checked, other protocols pass at once", () => {
  expect(helloGate("db.example", "checked")(Buffer.from("SSH-2.0-x"))).toEqual(Buffer.from("SSH-2.0-x"));
});

test("what begins like TLS and can't be read never passes for another protocol", () => {
  const twoNames = message(Buffer.concat([extension("db.example"), extension("evil.example")]));
  expect(() => helloGate("db.example", "checked")(twoNames)).toThrow(/no proper TLS/);
  expect(() => helloGate("db.example", "checked")(Buffer.from([22, 3, 1, 0, 0]))).toThrow(/no proper TLS/);
  expect(() => helloGate("db.example", "checked")(Buffer.from([22, 3, 1, 0, 1, 2]))).toThrow(/no proper TLS/);
});

test("two names in one message are not accepted", () => {
  const [first, second] = [extension("pypi.org"), extension("evil.example")];
  expect(helloReader()(message(Buffer.concat([first, second])))).toEqual({ kind: "malformed" });
  expect(helloReader()(message(first))).toEqual({ kind: "hello", name: "pypi.org" });
});

test.each([
  ["Encrypted Client Hello", [0xfe, 0x0d]],
  ["an encrypted server name", [0xff, 0xce]],
])("%s behind an allowed name does not pass, wherever it stands", (_, [high = 0, low = 0]) => {
  const hidden = Buffer.from([high, low, 0, 4, 0, 1, 2, 3]);
  const name = extension("pypi.org");
  for (const extensions of [[name, hidden], [hidden, name], [hidden]]) {
    const bytes = message(Buffer.concat(extensions));
    expect(helloReader()(bytes)).toEqual({ kind: "encrypted" });
    for (const tls of ["required", "checked"] as const) {
      const pass = () => helloGate("pypi.org", tls)(bytes);
      expect(pass).toThrow(expect.objectContaining({ reason: "name_encrypted", status: 403 }));
      expect(pass).toThrow(/encrypted name \(ECH\).*Turn Encrypted Client Hello off/);
    }
  }
});

test("a message that never ends is given up, at a cost that grows with its bytes only", () => {
  const gate = helloGate("pypi.org", "required");
  const begun = Buffer.from([22, 3, 1, 0, 1, 1, 22, 3, 1, 0, 1, 0, 22, 3, 1, 0, 1, 255, 22, 3, 1, 0, 1, 255]);
  gate(begun);
  const oneByteRecord = Buffer.from([22, 3, 1, 0, 1, 0]);
  const flood = () => {
    for (let n = 0; n < 20_000; n++) for (const byte of oneByteRecord) gate(Buffer.from([byte]));
  };
  expect(flood).toThrow(/no proper TLS/);
});

test("no bytes make it throw anything but a refusal", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(hello.length), (noise, at) => {
      const bytes = Buffer.from(hello);
      bytes.set(noise.subarray(0, bytes.length - at), at);
      expect(helloReader()(bytes).kind).toMatch(/^(hello|encrypted|not_tls|malformed|incomplete)$/);
    }),
    { numRuns: 1000 },
  );
});

async function helloOf(servername: string): Promise<Buffer> {
  const [ours, theirs] = duplexPair();
  const socket = tlsConnect({ socket: theirs, servername, rejectUnauthorized: false });
  socket.on("error", () => undefined);
  const [bytes] = (await once(ours, "data")) as [Buffer];
  socket.destroy();
  return bytes;
}

function inRecords(bytes: Buffer, size: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 5; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

function extension(name: string): Buffer {
  const bytes = Buffer.from(name);
  const n = bytes.length;
  return Buffer.concat([Buffer.from([0, 0, 0, n + 5, 0, n + 3, 0, 0, n]), bytes]);
}

function message(extensions: Buffer): Buffer {
  const fixed = Buffer.concat([Buffer.alloc(34), Buffer.from([0, 0, 2, 0x13, 1, 1, 0])]);
  const body = Buffer.concat([fixed, Buffer.from([0, extensions.length]), extensions]);
  return Buffer.concat([Buffer.from([22, 3, 1, 0, body.length + 4, 1, 0, 0, body.length]), body]);
}
