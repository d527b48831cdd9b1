import fc from "fast-check";
import { expect, test } from "vitest";
import { formatAuthority, parseAuthority, parseNamedAuthority } from "./authority.ts";
import { Refusal } from "./refusal.ts";

test.each([
  ["example.com:443", "example.com", 443],
  ["EXAMPLE.Com:80", "example.com", 80],
  ["example.com.:80", "example.com", 80],
  ["example.com", "example.com", undefined],
  ["localhost:1", "localhost", 1],
  ["under_score.example:65535", "under_score.example", 65535],
  ["xn--bcher-kva.example:443", "xn--bcher-kva.example", 443],
  ["127.0.0.1:8080", "127.0.0.1", 8080],
  ["127.0.0.1.:8080", "127.0.0.1", 8080],
  ["[::1]:443", "::1", 443],
  ["[0:0:0:0:0:0:0:1]:443", "::1", 443],
  ["[2001:DB8:0::1]", "2001:db8::1", undefined],
  ["[::ffff:127.0.0.1]:80", "::ffff:7f00:1", 80],
])("%s is read as one host", (text, host, port) => {
  expect(parseAuthority(text)).toEqual({ host, port });
});

test.each([
  "",
  ":443",
  ".",
  "..",
  ".example.com:443",
  "example..com:443",
  "example.com..:443",
  "2130706433:80",
  "0x7f000001:80",
  "0x7f.1:80",
  "0177.0.0.1:80",
  "127.1:80",
  "127.0.0.01:80",
  "1.2.3.4.5:80",
  "256.1.1.1:80",
  "example.0x1:80",
  "user@example.com:80",
  "user:password@example.com:80",
  "example.com:80:80",
  "example.com:",
  "example.com:0",
  "example.com:080",
  "example.com:65536",
  "example.com:99999999",
  "example.com:+80",
  "example.com:80 ",
  " example.com:80",
  "exa mple.com:80",
  "ex%61mple.com:80",
  "example.com/path:80",
  "example.com\\:80",
  "example.com#:80",
  "*.example.com:80",
  "-example.com:80",
  "example-.com:80",
  "xn--zzzzzzzzzz-.example:80",
  "bücher.example:80",
  "127。0。0。1:80",
  "①27.0.0.1:80",
  "::1",
  "::1:443",
  "[::1",
  "[::1]443",
  "[[::1]]:443",
  "[fe80::1%eth0]:80",
  "[fe80::1%25eth0]:80",
  "[127.0.0.1]:80",
  "[example.com]:80",
  "[]:80",
  `${"a".repeat(64)}.example:80`,
  `${"a.".repeat(127)}com:80`,
])("%j is refused", (text) => {
  expect(() => parseAuthority(text)).toThrow(Refusal);
});

test("the operator may write names in any language and addresses in brackets", () => {
  expect(parseNamedAuthority("Bücher.example:8443")).toEqual({ host: "xn--bcher-kva.example", port: 8443 });
  expect(parseNamedAuthority("bücher.example")).toEqual({ host: "xn--bcher-kva.example", port: undefined });
  expect(parseNamedAuthority("[::1]:443")).toEqual({ host: "::1", port: 443 });
});

test("whatever is accepted is written in one way and reads as itself", () => {
  const anything = fc.oneof(
    fc.string(),
    fc.domain(),
    fc.ipV4Extended(),
    fc.ipV6().map((ip) => `[${ip}]`),
  );
  fc.assert(
    fc.property(anything, fc.option(fc.nat(70_000)), (host, port) => {
      const text = port === null ? host : `${host}:${port}`;
      try {
        const authority = parseAuthority(text);
        expect(parseAuthority(formatAuthority(authority.host, authority.port))).toEqual(authority);
        expect(new URL(`http://${formatAuthority(authority.host)}`).hostname).toBe(
          formatAuthority(authority.host),
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});
