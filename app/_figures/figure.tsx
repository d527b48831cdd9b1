"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { FigureLibrary } from "./figure-kind.ts";

const FIRST_HEIGHT = 450;
const MOST_HEIGHT = 4000;

/**
 * A figure that came as data, drawn by a library of ours in a frame without an origin and without a network: nobody's script
 * runs, so nobody needs to be asked. What the frame says is believed as far as a height and a sentence go.
 */
export function Figure({ library, text }: { library: FigureLibrary; text: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const dark = useDark();
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const draw = () => {
      // Without an origin there is none to address it to; the frame is one of ours.
      frame.current?.contentWindow?.postMessage({ text, dark }, "*");
    };
    const hear = ({ source, data }: MessageEvent) => {
      if (!frame.current || source !== frame.current.contentWindow) return;
      const message = data?.figure;
      if (message?.ready === true) draw();
      if (typeof message?.height === "number") {
        setProblem(undefined);
        setHeight(Math.min(Math.max(message.height, 40), MOST_HEIGHT));
      }
      if (typeof message?.problem === "string") setProblem(message.problem.slice(0, 500));
    };
    addEventListener("message", hear);
    // For a frame that was ready before we listened, and for other data or another theme in the same frame.
    draw();
    return () => removeEventListener("message", hear);
  }, [text, dark]);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1.5">
      {problem !== undefined && (
        <p className="rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
          This figure could not be drawn: <bdi>{problem}</bdi>
        </p>
      )}
      <iframe
        ref={frame}
        title="Figure"
        src={`/api/frames/${library}`}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        loading="lazy"
        hidden={problem !== undefined}
        style={{ height }}
        className="w-full overflow-hidden rounded-md border-0"
      />
    </div>
  );
}

/** Whether the page is dark at the moment: by the person's choice, or the system's. */
function useDark(): boolean {
  return useSyncExternalStore(watch, isDark, () => false);
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : system().matches;
}

function watch(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const preference = system();
  preference.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    preference.removeEventListener("change", onChange);
  };
}

function system(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}
