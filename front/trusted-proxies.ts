// Whose word counts about where a request comes from: the reverse proxies that the operator names, and nobody else's.
import { BlockList, isIP } from "node:net";

export type TrustedProxies = (address: string) => boolean;

const WORDS: Record<string, string[]> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Of addresses, networks such as 10.0.0.0/8, and words, which `env.ts` has checked. */
export function trustedProxies(names: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const name of names.flatMap((one) => WORDS[one] ?? [one])) {
    const [address = "", length] = name.split("/");
    const [family, bits] = isIP(address) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
    list.addSubnet(address, Number(length ?? bits), family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
  };
}
