import fc from "fast-check";
import { expect, test } from "vitest";
import { addressKind } from "./addresses.ts";

test.each([
  ["1.1.1.1", "public"],
  ["9.255.255.255", "public"],
  ["11.0.0.0", "public"],
  ["172.15.255.255", "public"],
  ["172.32.0.0", "public"],
  ["100.63.255.255", "public"],
  ["100.128.0.0", "public"],
  ["223.255.255.255", "public"],
  ["2606:4700::1111", "public"],
  ["2a00:1450:4001::5", "public"],
  ["10.0.0.0", "private"],
  ["10.255.255.255", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["fc00::1", "private"],
  ["fdff:ffff::1", "private"],
  ["fec0::1", "private"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["::1", "loopback"],
  ["0:0:0:0:0:0:0:1", "loopback"],
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["::", "unspecified"],
  ["169.254.0.1", "link_local"],
  ["fe80::1", "link_local"],
  ["fe80::1%eth0", "link_local"],
  ["febf::1", "link_local"],
  ["169.254.169.254", "metadata"],
  ["169.254.170.2", "metadata"],
  ["100.100.100.200", "metadata"],
  ["168.63.129.16", "metadata"],
  ["fd00:ec2::254", "metadata"],
  ["100.64.0.1", "shared"],
  ["100.127.255.255", "shared"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.250", "multicast"],
  ["ff02::1", "multicast"],
  ["192.0.2.1", "documentation"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["2001:db8::1", "documentation"],
  ["3fff::1", "documentation"],
  ["198.18.0.1", "benchmark"],
  ["198.19.255.255", "benchmark"],
  ["2001:2::1", "benchmark"],
  ["::ffff:127.0.0.1", "embedded"],
  ["::ffff:7f00:1", "embedded"],
  ["::ffff:8.8.8.8", "embedded"],
  ["::127.0.0.1", "embedded"],
  ["::ffff:0:7f00:1", "embedded"],
  ["64:ff9b::7f00:1", "embedded"],
  ["64:ff9b::8.8.8.8", "embedded"],
  ["64:ff9b:1::1", "embedded"],
  ["2002:7f00:1::", "embedded"],
  ["2001:0:53aa:64c:0:0:80ff:fffe", "embedded"],
  ["192.88.99.1", "embedded"],
  ["192.0.0.1", "reserved"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
  ["2001:20::1", "reserved"],
  ["100::1", "reserved"],
  ["4000::1", "reserved"],
  ["1::1", "reserved"],
  ["", "invalid"],
  ["example.com", "invalid"],
  ["0x7f.1", "invalid"],
  ["127.1", "invalid"],
  ["1.2.3.4.5", "invalid"],
])("%s is %s", (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

test("no IPv4 address becomes public by being written inside an IPv6 address", () => {
  const wrappers = ["::", "::ffff:", "::ffff:0:", "64:ff9b::"];
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom(...wrappers), (address, wrapper) => {
      expect(addressKind(wrapper + address)).not.toBe("public");
    }),
  );
});

test("IPv6 is public only inside the range that global addresses come from", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const first = Number.parseInt(address.split(":")[0] || "0", 16);
      if (addressKind(address) === "public") expect(first >> 13).toBe(1);
    }),
    { numRuns: 1000 },
  );
});
