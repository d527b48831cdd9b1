// What a file is, by its name and, where the name says nothing, by its first bytes. A browser is never asked to guess.
import path from "node:path";

export const KINDS = [
  "image",
  "table",
  "text",
  "code",
  "document",
  "notebook",
  "html",
  "audio",
  "video",
  "archive",
  "other",
] as const;
type Kind = (typeof KINDS)[number];

export interface FileType {
  mime: string;
  kind: Kind;
}

export function describeType(name: string, head: Uint8Array): FileType {
  const base = name.toLowerCase();
  const figure = FIGURES.find(([extension]) => base.endsWith(extension));
  if (figure) return { mime: figure[1], kind: "code" };
  const known = BY_EXTENSION.get(path.extname(base).slice(1)) ?? BY_NAME.get(base);
  if (known) return known;
  return isText(head) ? PLAIN : OTHER;
}

/** Whether a type is text to read, and so has first lines to show. */
export function isTextual({ mime, kind }: { mime: string; kind: string }): boolean {
  return (
    ["text", "code", "notebook", "html"].includes(kind) ||
    mime.startsWith("text/") ||
    mime === "application/json" ||
    mime === "image/svg+xml"
  );
}

/** UTF-8 without NUL, cut anywhere. */
export function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // Streaming lets the last character be incomplete.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

// Figures as data, by the names that their libraries give to files. Our pages draw them.
const FIGURES: [string, string][] = [
  [".plotly.json", "application/vnd.plotly.v1+json"],
  [".vl.json", "application/vnd.vegalite.v6+json"],
  [".vg.json", "application/vnd.vega.v6+json"],
];

const PLAIN: FileType = { mime: "text/plain", kind: "text" };
const OTHER: FileType = { mime: "application/octet-stream", kind: "other" };

// kind, mime, extensions. Code is served as plain text: nobody's browser should run it.
const TYPES: [Kind, string, string][] = [
  ["image", "image/png", "png"],
  ["image", "image/jpeg", "jpg jpeg"],
  ["image", "image/gif", "gif"],
  ["image", "image/webp", "webp"],
  ["image", "image/avif", "avif"],
  ["image", "image/bmp", "bmp"],
  ["image", "image/x-icon", "ico"],
  ["image", "image/svg+xml", "svg"],
  ["table", "text/csv", "csv"],
  ["table", "text/tab-separated-values", "tsv"],
  ["table", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["table", "application/vnd.apache.parquet", "parquet"],
  ["text", "text/plain", "txt log text out err"],
  ["text", "text/markdown", "md markdown"],
  ["code", "application/json", "json geojson"],
  ["code", "application/x-ndjson", "jsonl ndjson"],
  [
    "code",
    "text/plain",
    "py js mjs cjs ts tsx jsx sh bash zsh c h cc cpp hpp rs go java kt rb php pl r jl lua sql css scss yaml yml toml ini cfg conf xml tex diff patch swift scala hs ex exs clj m proto graphql ipy",
  ],
  ["html", "text/html", "html htm"],
  ["notebook", "application/x-ipynb+json", "ipynb"],
  ["document", "application/pdf", "pdf"],
  ["document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["document", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"],
  ["document", "application/epub+zip", "epub"],
  ["audio", "audio/mpeg", "mp3"],
  ["audio", "audio/wav", "wav"],
  ["audio", "audio/ogg", "ogg oga opus"],
  ["audio", "audio/flac", "flac"],
  ["audio", "audio/mp4", "m4a"],
  ["video", "video/mp4", "mp4 m4v"],
  ["video", "video/webm", "webm"],
  ["video", "video/quicktime", "mov"],
  ["archive", "application/zip", "zip whl"],
  ["archive", "application/gzip", "gz tgz"],
  ["archive", "application/x-tar", "tar"],
  ["archive", "application/x-xz", "xz"],
  ["archive", "application/x-bzip2", "bz2"],
  ["archive", "application/zstd", "zst"],
  ["archive", "application/x-7z-compressed", "7z"],
];

const BY_EXTENSION = new Map<string, FileType>(
  TYPES.flatMap(([kind, mime, names]) => names.split(" ").map((name) => [name, { kind, mime }] as const)),
);
const BY_NAME = new Map<string, FileType>(
  ["makefile", "dockerfile"].map((name) => [name, { kind: "code", mime: "text/plain" }]),
);
