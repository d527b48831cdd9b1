import type { RichResult } from "./rich-results.tsx";

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];

export function isPicture({ mime }: Pick<RichResult, "mime">): boolean {
  return PICTURES.includes(mime);
}

/** The address of a result's picture. SVG is only ever drawn as an image, where its scripts don't run and nothing loads. */
export function pictureOf({ mime, text, data, artifact_id }: RichResult): string | undefined {
  if (!isPicture({ mime })) return undefined;
  if (artifact_id) return `/artifacts/${encodeURIComponent(artifact_id)}/result`;
  if (data && /^[\w+/=\s-]+$/.test(data)) return `data:${mime};base64,${data}`;
  if (mime === "image/svg+xml" && text) return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  return undefined;
}
