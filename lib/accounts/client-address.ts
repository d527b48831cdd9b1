import { isIPv6 } from "node:net";

/** Where a request came from. The front alone writes this header, whatever a client sends in it. */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for") ?? "unknown";
}

/** An IPv4 address, or the 64 bits of an IPv6 one that name a network: whoever has one of those has them all. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // A URL writes every address in its one shortest form, without a zone.
  const [head = "", tail = ""] = new URL(`http://[${address.split("%")[0]}]`).hostname
    .slice(1, -1)
    .split("::");
  const [first, last] = [head, tail].map((part) => part.split(":").filter(Boolean)) as [string[], string[]];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}
