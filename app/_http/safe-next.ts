/** A path of ours to go to after signing in; anything that could lead elsewhere becomes the start page. */
export function safeNext(next: unknown): string {
  if (typeof next !== "string" || !/^\/(?![/\\])/.test(next)) return "/chat";
  const base = "http://cove.invalid";
  return URL.canParse(next, base) && new URL(next, base).origin === base ? next : "/chat";
}
