/** RFC 6266: the exact name for browsers that know UTF-8, a plain one for those that don't. Never inline by accident. */
export function contentDisposition(name: string, kind: "attachment" | "inline" = "attachment"): string {
  const safe =
    name.toWellFormed().replace(/[\p{Cc}/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "_") || "file";
  const plain = safe.replace(/[^\x20-\x7e]/g, "_").replaceAll('"', "_");
  const exact = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
