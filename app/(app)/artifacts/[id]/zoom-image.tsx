"use client";

import { ImageOff, Maximize, Minus, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "#app/_components/button.tsx";
import { EmptyState } from "#app/_components/page.tsx";

const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8];

/** A picture that fits, or as large as one likes, to be scrolled. */
export function ZoomImage({ src, name }: { src: string; name: string }) {
  const [zoom, setZoom] = useState<number>();
  const [natural, setNatural] = useState<{ width: number; height: number; fitted: number }>();
  const [broken, setBroken] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const element = image.current;
    if (!element) return;
    // Loading gives it a size, and so does a window that is resized.
    const observer = new ResizeObserver(() => {
      const { naturalWidth: width, naturalHeight: height, clientWidth } = element;
      if (width > 0) setNatural({ width, height, fitted: clientWidth / width });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  if (broken) {
    return (
      <EmptyState icon={ImageOff} title="This is no image">
        Its name says image, its contents say otherwise. Download it to find out.
      </EmptyState>
    );
  }
  const now = zoom ?? natural?.fitted ?? 1;
  const larger = STEPS.find((step) => step > now + 0.01);
  const smaller = STEPS.findLast((step) => step < now - 0.01);
  return (
    <figure className="grid min-w-0 grid-cols-1 overflow-hidden rounded-lg border">
      <figcaption className="flex h-9 items-center gap-1 border-b bg-sunken px-2 text-muted text-xs">
        <span className="flex-1 tabular-nums">{natural && `${natural.width} × ${natural.height}`}</span>
        <IconButton icon={Minus} label="Smaller" disabled={!smaller} onClick={() => setZoom(smaller)} />
        <output aria-label="Zoom" className="w-11 text-center tabular-nums">
          {Math.round(now * 100)} %
        </output>
        <IconButton icon={Plus} label="Larger" disabled={!larger} onClick={() => setZoom(larger)} />
        <IconButton icon={Maximize} label="Fit" onClick={() => setZoom(undefined)} />
      </figcaption>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="grid max-h-[70dvh] min-h-56 place-items-center overflow-auto bg-sunken p-4"
      >
        {/* biome-ignore lint/performance/noImgElement: it is served as it is; an image can run nothing. */}
        <img
          src={src}
          alt={name}
          ref={image}
          onError={() => setBroken(true)}
          className="rounded bg-white shadow-xs"
          style={
            zoom && natural
              ? { width: natural.width * zoom, maxWidth: "none" }
              : { maxWidth: "100%", maxHeight: "calc(70dvh - 2rem)" }
          }
        />
      </div>
    </figure>
  );
}
