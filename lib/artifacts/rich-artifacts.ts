// What cells display and is more than a line of text: pictures, figures as data, and HTML, which is nearly always a table.
import type { RichResult } from "#sandbox/index.ts";

export interface RichArtifact {
  /** Which of the results it is. */
  index: number;
  name: string;
  mime: string;
  kind: "image" | "html" | "code";
  content: Buffer;
}

const FORMS: Record<string, { extension: string; kind: RichArtifact["kind"] }> = {
  "image/png": { extension: "png", kind: "image" },
  "image/jpeg": { extension: "jpg", kind: "image" },
  "image/svg+xml": { extension: "svg", kind: "image" },
  "text/html": { extension: "html", kind: "html" },
  "application/vnd.plotly.v1+json": { extension: "plotly.json", kind: "code" },
  "application/vnd.vegalite.v6+json": { extension: "vl.json", kind: "code" },
  "application/vnd.vega.v6+json": { extension: "vg.json", kind: "code" },
};

export function richArtifacts(results: RichResult[]): RichArtifact[] {
  const counts = { figure: 0, table: 0, page: 0 };
  return results.flatMap(({ mime, text, data }, index) => {
    const form = FORMS[mime];
    if (!form) return [];
    const { extension, kind } = form;
    const content = data ?? Buffer.from(text ?? "");
    const what = kind !== "html" ? "figure" : /<table\b/i.test(text ?? "") ? "table" : "page";
    counts[what] += 1;
    const name = `${what}-${counts[what]}.${extension}`;
    return [{ index, name, mime, kind, content }];
  });
}
