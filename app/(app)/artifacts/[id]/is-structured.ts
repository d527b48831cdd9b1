/** Whether a text is a table, a notebook or JSON, of which the beginning alone would be no use. */
export function isStructured({ name, mime, kind }: { name: string; mime: string; kind: string }): boolean {
  return kind === "notebook" || (kind === "table" && mime.startsWith("text/")) || isJson(name);
}

export function isJson(name: string): boolean {
  return /\.(geo)?json$/i.test(name);
}
