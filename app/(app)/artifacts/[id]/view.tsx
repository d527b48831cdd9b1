"use client";

import { Download } from "lucide-react";
import { buttonClass } from "#app/_components/button.tsx";
import { fileIcon } from "#app/_components/file-icon.tsx";
import { EmptyState } from "#app/_components/page.tsx";
import { HtmlView } from "./html-view.tsx";
import { isStructured } from "./is-structured.ts";
import { TextView, WholeText } from "./text-view.tsx";
import { ZoomImage } from "./zoom-image.tsx";

export interface Shown {
  id: string;
  name: string;
  path: string;
  mime: string;
  kind: string;
  size: number;
  href: string;
}

export interface Content {
  text: string;
  truncated: boolean;
}

/** The contents, by what they are, text as far as the page brought it. All of it was made by code, so nothing of it gets our origin. */
export function View({ artifact, content }: { artifact: Shown; content?: Content }) {
  const { kind, mime, href, name } = artifact;
  // As an image an SVG is inert: it runs nothing and fetches nothing.
  if (kind === "image") return <ZoomImage src={href} name={name} />;
  if (kind === "html" && content) return <HtmlView artifact={artifact} content={content} />;
  if (mime === "application/pdf") {
    // In a frame there is no room for a column of thumbnails.
    const src = `${href}#navpanes=0&view=FitH`;
    return <iframe title={name} src={src} className="h-[80dvh] w-full rounded-lg border bg-white" />;
  }
  // biome-ignore lint/a11y/useMediaCaption: code that makes sound rarely makes captions.
  if (kind === "audio") return <audio controls preload="metadata" src={href} className="w-full" />;
  if (kind === "video") {
    return (
      // biome-ignore lint/a11y/useMediaCaption: code that makes films rarely makes captions.
      <video controls preload="metadata" src={href} className="max-h-[75dvh] w-full rounded-lg bg-black" />
    );
  }
  if (content) return <TextView artifact={artifact} content={content} />;
  if (isStructured(artifact)) return <WholeText artifact={artifact} />;
  return (
    <EmptyState
      icon={fileIcon(name)}
      title="No preview for this type"
      action={
        <a href={`${href}?download`} download className={buttonClass()}>
          <Download className="size-4" aria-hidden /> Download
        </a>
      }
    >
      {mime} can't be shown here. Download it to open it with a program that knows it.
    </EmptyState>
  );
}
