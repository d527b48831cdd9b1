import { isIPv6 } from "node:net";

/** Where this machine itself reaches a server that listens at this address. */
export function localUrl(listen: string, port: number): string {
  const address = { "0.0.0.0": "127.0.0.1", "::": "::1" }[listen] ?? listen;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
