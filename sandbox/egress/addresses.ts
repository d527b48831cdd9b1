// Tells addresses of the public internet from all others, which sandboxed code has no business with: they lead to
// the host, its neighbours, the cloud's metadata, or to IPv4 addresses in disguise.

import { BlockList, isIP } from "node:net";

export type AddressKind = keyof typeof RANGES | "public" | "invalid";

const RANGES = {
  metadata: [
    "169.254.169.254/32",
    "169.254.170.2/32",
    "169.254.170.23/32",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
    "fd00:ec2::254/128",
    "fd00:ec2::23/128",
    "fd20:ce::254/128",
  ],
  // On Linux a connection to 0.0.0.0 reaches the host itself.
  unspecified: ["0.0.0.0/8", "::/128"],
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"],
  link_local: ["169.254.0.0/16", "fe80::/10"],
  shared: ["100.64.0.0/10"],
  multicast: ["224.0.0.0/4", "ff00::/8"],
  documentation: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"],
  benchmark: ["198.18.0.0/15", "2001:2::/48"],
  // IPv4-compatible, -mapped, -translated, NAT64, Teredo and 6to4: the real destination is an IPv4 address inside.
  embedded: [
    "::/96",
    "::ffff:0:0/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "2001::/32",
    "2002::/16",
    "192.88.99.0/24",
  ],
  reserved: ["192.0.0.0/24", "240.0.0.0/4", "2001::/23", "3ffe::/16", "100::/64", "5f00::/16"],
} as const;

/** IPv6 hands out global addresses from here only. */
const GLOBAL_UNICAST = blockList(["2000::/3"]).v6;
const LISTS = (Object.keys(RANGES) as (keyof typeof RANGES)[]).map((kind) => ({
  kind,
  ...blockList(RANGES[kind]),
}));

/** A resolver may add a zone (`fe80::1%eth0`), which changes nothing about the kind. */
export function addressKind(text: string): AddressKind {
  const address = text.split("%", 1)[0] ?? "";
  const version = isIP(address);
  if (version === 0) return "invalid";
  const listed = LISTS.find(({ v4, v6 }) =>
    version === 4 ? v4.check(address) : v6.check(address, "ipv6"),
  )?.kind;
  if (listed) return listed;
  return version === 4 || GLOBAL_UNICAST.check(address, "ipv6") ? "public" : "reserved";
}

// One list per family: a BlockList takes an IPv4 address for its mapped twin, so ::ffff:0:0/96 would hold them all.
function blockList(ranges: readonly string[]): { v4: BlockList; v6: BlockList } {
  const lists = { v4: new BlockList(), v6: new BlockList() };
  for (const range of ranges) {
    const [net = "", prefix] = range.split("/");
    if (isIP(net) === 4) lists.v4.addSubnet(net, Number(prefix), "ipv4");
    else lists.v6.addSubnet(net, Number(prefix), "ipv6");
  }
  return lists;
}
