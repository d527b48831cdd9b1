import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyFraming, bodyScanner } from "./request-body.ts";

test.each<[[string, string][], object]>([
  [[], { kind: "none" }],
  [[["Content-Length", "0"]], { kind: "none" }],
  [[["content-length", "12"]], { kind: "length", length: 12 }],
  [[["Transfer-Encoding", "Chunked"]], { kind: "chunked" }],
])("%j is clear", (headers, framing) => {
  expect(bodyFraming(headers)).toEqual(framing);
});

test.each<[[string, string][]]>([
  [
    [
      ["Content-Length", "1"],
      ["Transfer-Encoding", "chunked"],
    ],
  ],
  [
    [
      ["Content-Length", "1"],
      ["Content-Length", "1"],
    ],
  ],
  [[["Content-Length", "1, 1"]]],
  [[["Content-Length", "+1"]]],
  [[["Content-Length", "-1"]]],
  [[["Content-Length", "0x1"]]],
  [[["Content-Length", ""]]],
  [[["Content-Length", "1e3"]]],
  [[["Content-Length", "99999999999999999999"]]],
  [[["Transfer-Encoding", "gzip, chunked"]]],
  [
    [
      ["Transfer-Encoding", "chunked"],
      ["Transfer-Encoding", "chunked"],
    ],
  ],
  [[["Transfer-Encoding", "\xa0chunked"]]],
  [[["Transfer-Encoding", "identity"]]],
  [[["Transfer-Encoding", ""]]],
])("%j is refused", (headers) => {
  expect(() => bodyFraming(headers)).toThrow(/length of the body/);
});

test("a body of known length takes that many bytes and no more", () => {
  const body = bodyScanner({ kind: "length", length: 5 });
  expect(body.take(Buffer.from("abc"))).toBe(3);
  expect(body.done()).toBe(false);
  expect(body.take(Buffer.from("deGET http://next/"))).toBe(2);
  expect(body.done()).toBe(true);
  expect(body.take(Buffer.from("more"))).toBe(0);
});

test("chunks end where they say, however they are cut into pieces", () => {
  const text = Buffer.from("5;x=y\r\nhello\r\n00A\r\n0\r\n\r\n0\r\n\r\n\r\n0\r\nTrailer: a\r\n\r\n");
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (cuts) => {
      const body = bodyScanner({ kind: "chunked" });
      const all = Buffer.concat([text, Buffer.from("GET http://next/ HTTP/1.1\r\n\r\n")]);
      let taken = 0;
      let at = 0;
      for (const size of [...cuts, all.length]) {
        taken += body.take(all.subarray(at, at + size));
        at += size;
      }
      expect(taken).toBe(text.length);
      expect(body.done()).toBe(true);
    }),
  );
});

test.each([
  "x\r\n",
  "\r\n",
  "-1\r\n",
  "5\nhello",
  "5\rx",
  "1\r\nab\r\n",
  "0\r\nA: b\rc\r\n",
  "1 1\r\n",
  "1;\x00\r\n",
  "1234567890123\r\n",
])("the malformed chunks %j are refused", (text) => {
  expect(() => bodyScanner({ kind: "chunked" }).take(Buffer.from(text))).toThrow(/malformed/);
});

test("endless sizes and endless trailers are refused", () => {
  expect(() => bodyScanner({ kind: "chunked" }).take(Buffer.alloc(5000, "0"))).toThrow(/malformed/);
  const trailers = Buffer.from(`0\r\n${"A: b\r\n".repeat(5000)}`);
  expect(() => bodyScanner({ kind: "chunked" }).take(trailers)).toThrow(/malformed/);
});
