/** RFC 6266: the name as it is for everybody who reads UTF-8, and something close for everybody else. */
export function contentDisposition(type: "inline" | "attachment", name: string): string {
  // Whatever would end the quotes, the header, or the folder it is saved in.
  const safe = name.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_") || "file";
  const ascii = safe.replace(/[^\x20-\x7e]/gu, "_").replace(/["%]/g, "_");
  const plain = `${type}; filename="${ascii}"`;
  if (ascii === safe) return plain;
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
