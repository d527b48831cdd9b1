import { env } from "#env.ts";

export function isSecure(): boolean {
  return env().COVE_URL.startsWith("https:");
}

/** Over https every cookie is bound to this very host: no sibling domain can plant one. */
export function cookieName(name: string): string {
  return `${isSecure() ? "__Host-" : ""}cove.${name}`;
}
