// The document of a figure's frame: the library and our few lines as one script, so that the frame needs no connection at all.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { DRAWING_SCRIPTS } from "./drawing-scripts.ts";
import type { FigureLibrary } from "./figure-kind.ts";

export interface FigureDocument {
  /** Of the script, for the policy that lets in no other. */
  hash: string;
  etag: string;
  html: Uint8Array<ArrayBuffer>;
}

/** As their packages bring them for browsers, in the order in which they need each other. `next.config.ts` copies them into images. */
const FILES: Record<FigureLibrary, string[]> = {
  plotly: ["plotly.js-dist-min/plotly.min.js"],
  vega: ["vega/build/vega.min.js", "vega-lite/build/vega-lite.min.js", "vega-embed/build/vega-embed.min.js"],
};

const STYLE = `html, body { margin: 0; font-family: system-ui, sans-serif; overflow: hidden }
body { padding: 0 } #figure { width: 100% } #figure.vega-embed { padding: 8px; box-sizing: border-box; overflow-x: auto }`;

const documents = new Map<FigureLibrary, Promise<FigureDocument>>();

export function figureDocument(library: FigureLibrary): Promise<FigureDocument> {
  const known = documents.get(library);
  if (known) return known;
  const made = makeDocument(library);
  documents.set(library, made);
  // A failure is told to whoever asked, and tried again by the next.
  made.catch(() => documents.delete(library));
  return made;
}

async function makeDocument(library: FigureLibrary): Promise<FigureDocument> {
  const libraries = await Promise.all(
    FILES[library].map((file) => readFile(path.join(process.cwd(), "node_modules", file), "utf8")),
  );
  const script = insideOfScript([...libraries, DRAWING_SCRIPTS[library]].join("\n;\n"));
  const html = `<!doctype html><meta charset="utf-8"><title>Figure</title><style>${STYLE}</style><div id="figure"></div><script>${script}</script>`;
  const digest = (text: string) => createHash("sha256").update(text).digest("base64");
  return {
    hash: digest(script),
    etag: `"${digest(html)}"`,
    html: new TextEncoder().encode(html),
  };
}

/** What would end the script, or begin a comment in it, stands in strings and expressions, where a backslash changes nothing. */
function insideOfScript(code: string): string {
  return code.replace(/<(?=\/?script|!--)/gi, "\\x3c");
}
