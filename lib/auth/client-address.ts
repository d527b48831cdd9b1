/**
 * The address a request came from, as well as it can be known: the last hop a proxy in front of us recorded, or the one Next
 * fills in itself. A client may send its own header, so limits by address are best effort; those by account are the authority.
 */
export function clientAddress(headers: Headers): string {
  const hops = headers.get("x-forwarded-for")?.split(",") ?? [];
  return hops.at(-1)?.trim().slice(0, 64) || "unknown";
}
