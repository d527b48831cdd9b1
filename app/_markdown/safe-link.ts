// What a link or an image of an untrusted text may point at.

/** An address that is safe to follow, or undefined: web, mail, or a place within Cove. */
export function safeLink(href: unknown): string | undefined {
  if (typeof href !== "string") return undefined;
  if (/^#|^\/(?![/\\])/.test(href)) return href;
  try {
    const { protocol } = new URL(href);
    return protocol === "https:" || protocol === "http:" || protocol === "mailto:" ? href : undefined;
  } catch {
    return undefined;
  }
}

/** A picture that costs no request to anybody else: an artifact of ours, or the bytes themselves. */
export function safeImage(src: unknown): string | undefined {
  if (typeof src !== "string") return undefined;
  const isArtifact = /^\/artifacts\/[\w-]+\/[^\\]*$/.test(src) && !src.includes("..");
  return isArtifact || /^data:image\/(png|jpeg|gif|webp);base64,/.test(src) ? src : undefined;
}
