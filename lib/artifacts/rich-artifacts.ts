// What cells display and is more than a line of text: pictures, and tables that are too large to be one.
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
};
const LARGE_TABLE = 100_000;

export function richArtifacts(results: RichResult[]): RichArtifact[] {
  const found: RichArtifact[] = [];
  let figures = 0;
  let tables = 0;
  results.forEach(({ mime, text, data }, index) => {
    const extension = EXTENSIONS[mime];
    const content = data ?? Buffer.from(text ?? "");
    if (extension) {
      figures++;
      found.push({ index, name: `figure-${figures}.${extension}`, mime, kind: "image", content });
    } else if (mime === "text/html" && content.length > LARGE_TABLE) {
      tables++;
      found.push({ index, name: `table-${tables}.html`, mime, kind: "html", content });
    }
  });
  return found;
}
