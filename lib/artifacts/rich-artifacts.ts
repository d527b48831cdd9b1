// What cells display and is more than a line of text: pictures and HTML, which is nearly always a table.
import type { RichResult } from "#sandbox/index.ts";

export interface RichArtifact {
  /** Which of the results it is. */
  index: number;
  name: string;
  mime: string;
  kind: "image" | "html";
  content: Buffer;
}

const EXTENSIONS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "text/html": "html",
};

export function richArtifacts(results: RichResult[]): RichArtifact[] {
  const counts = { figure: 0, table: 0, page: 0 };
  return results.flatMap(({ mime, text, data }, index) => {
    const extension = EXTENSIONS[mime];
    if (!extension) return [];
    const content = data ?? Buffer.from(text ?? "");
    const isHtml = mime === "text/html";
    const what = !isHtml ? "figure" : /<table\b/i.test(text ?? "") ? "table" : "page";
    counts[what] += 1;
    const name = `${what}-${counts[what]}.${extension}`;
    return [{ index, name, mime, kind: isHtml ? "html" : "image", content }];
  });
}
