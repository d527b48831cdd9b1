import fc from "fast-check";
import { expect, test } from "vitest";
import { endToEnd, formatHead, parseHead } from "./http-head.ts";

test("a head is read and written back as it was", () => {
  const text = "GET / HTTP/1.1\r\nHost: a\r\nX-Empty:\r\nX-Tab: \t a\tb \t\r\n\r\n";
  const head = parseHead(Buffer.from(text));
  expect(head).toEqual({
    start: "GET / HTTP/1.1",
    headers: [
      ["Host", "a"],
      ["X-Empty", ""],
      ["X-Tab", "a\tb"],
    ],
  });
});

test.each([
  ["a bare line feed", "GET / HTTP/1.1\nHost: a\r\n\r\n"],
  ["a bare carriage return", "GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n"],
  ["a NUL", "GET / HTTP/1.1\r\nA: b\0\r\n\r\n"],
  ["a folded line", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n"],
  ["a space before the colon", "GET / HTTP/1.1\r\nTransfer-Encoding : chunked\r\n\r\n"],
  ["a line without a colon", "GET / HTTP/1.1\r\nAbc\r\n\r\n"],
  ["a header without a name", "GET / HTTP/1.1\r\n: b\r\n\r\n"],
  ["a delete character", "GET / HTTP/1.1\r\nA: \x7f\r\n\r\n"],
  ["too many headers", `GET / HTTP/1.1\r\n${"A: b\r\n".repeat(129)}\r\n`],
])("a head with %s is refused", (_what, text) => {
  expect(parseHead(Buffer.from(text))).toBeUndefined();
});

test("headers of this hop, and those that Connection names, end here", () => {
  const head = parseHead(
    Buffer.from(
      "GET / HTTP/1.1\r\nConnection: close, X-Mine\r\nx-mine: 1\r\nKeep-Alive: 5\r\nUpgrade: h2c\r\nAccept: a\r\n\r\n",
    ),
  );
  expect(endToEnd(head?.headers ?? [])).toEqual([["Accept", "a"]]);
});

test("whatever bytes come, a head that is accepted reads the same once it is written", () => {
  const byte = fc.oneof(fc.constantFrom(13, 10, 58, 32, 9, 65, 0xa0), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 60 }), (bytes) => {
      const head = parseHead(Buffer.concat([Buffer.from(bytes), Buffer.from("\r\n\r\n")]));
      if (head) expect(parseHead(formatHead(head))).toEqual(head);
    }),
    { numRuns: 2000 },
  );
});
