"use client";

import { useEffect, useState } from "react";

const PATIENCE_MS = 5000;

let probed: Promise<boolean> | undefined;

/** Whether this browser keeps pages from connecting to anybody, as `probe-document.ts` finds out, once a visit. Nothing until then. */
export function useIsolation(needed: boolean): boolean | undefined {
  const [isolated, setIsolated] = useState<boolean>();
  useEffect(() => {
    if (!needed) return;
    let current = true;
    probed ??= probe();
    probed.then((answer) => current && setIsolated(answer));
    return () => {
      current = false;
    };
  }, [needed]);
  return isolated;
}

/** Only if an attempt is noticed without the header, and there is none under it. */
async function probe(): Promise<boolean> {
  const [control, confined] = await Promise.all([firstWord("control"), firstWord("probe")]);
  return control === "attempt" && confined === "complete";
}

/** What a frame says first: `attempt`, `complete` without one, or `failure`. Nothing if it says nothing in time. */
function firstWord(name: "control" | "probe"): Promise<unknown> {
  const frame = Object.assign(document.createElement("iframe"), {
    src: `/api/frames/${name}`,
    hidden: true,
    ariaHidden: "true",
    tabIndex: -1,
  });
  frame.sandbox.add("allow-scripts");
  return new Promise<unknown>((resolve) => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame.contentWindow || typeof data?.probe !== "string") return;
      end(data.probe);
    };
    const end = (word?: unknown) => {
      removeEventListener("message", hear);
      clearTimeout(late);
      frame.remove();
      resolve(word);
    };
    const late = setTimeout(end, PATIENCE_MS);
    addEventListener("message", hear);
    document.body.append(frame);
  });
}
