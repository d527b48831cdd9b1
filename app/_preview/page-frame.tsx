"use client";

import clsx from "clsx";
import { Play, ShieldAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { useIsolation } from "./use-isolation.ts";

// Where this browser remembers what may run, and how many of them.
const PLACE = "cove.pages-that-may-run";
const MOST = 500;

interface Props {
  /** Where the contents are; the preview is below it. */
  href: string;
  title: string;
  /** Whether it wants to do something by itself. */
  scripts: boolean;
  className: string;
}

/**
 * A page that code made, in a frame without an origin. Its scripts run where the browser is proven to let them reach nobody;
 * elsewhere it is still until the person says otherwise. Every place that shows such a page shows it by this.
 */
export function PageFrame({ href, title, scripts, className }: Props) {
  const isolated = useIsolation(scripts);
  const { given, give } = usePermission(href, scripts && isolated === false);
  if (scripts && isolated === undefined)
    return <div className={clsx(className, "animate-pulse bg-sunken")} />;
  const run = scripts && (isolated || given);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      {scripts && !isolated && (given ? <Running /> : <Question onRun={give} />)}
      <iframe
        // A frame's rights are those it was loaded with.
        key={run ? "run" : "still"}
        title={title}
        src={`${href}/preview${run ? "?run" : ""}`}
        sandbox={run ? "allow-scripts" : ""}
        referrerPolicy="no-referrer"
        className={clsx(className, "bg-white")}
      />
    </div>
  );
}

function Question({ onRun }: { onRun: (() => void) | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 rounded-md border bg-surface px-3.5 py-3 text-[13px]">
      <ShieldAlert className="size-4 shrink-0 text-warning max-sm:hidden" aria-hidden />
      <p className="min-w-56 flex-1">
        <strong className="font-medium">This page has scripts, and they are not running.</strong>{" "}
        <span className="text-muted">
          This browser can't keep them off the network: once they run, they could send whatever is in this
          page, what you do in it and your network address to anybody they choose. They can't see your
          account, your cookies or other files.
        </span>
      </p>
      <Button size="small" disabled={!onRun} onClick={onRun}>
        <Play className="size-3.5" aria-hidden /> Run this page
      </Button>
    </div>
  );
}

function Running() {
  return (
    <p className="flex items-center gap-1.5 text-muted text-xs">
      <ShieldAlert className="size-3.5 shrink-0 text-warning" aria-hidden />
      Its scripts run because you let this content run. They could reach the network.
    </p>
  );
}

interface Permission {
  given: boolean;
  /** Nothing until it is known which content the permission would be for. */
  give: (() => void) | undefined;
}

/** Whether the person let this content run, wherever it turns up. It counts for these bytes and for no others. */
function usePermission(href: string, needed: boolean): Permission {
  const [hash, setHash] = useState<string>();
  const [given, setGiven] = useState(false);
  useEffect(() => {
    if (!needed) return;
    const stopped = new AbortController();
    fetch(href, { method: "HEAD", signal: stopped.signal })
      .then((answer) => {
        // The ETag of contents is their SHA-256.
        const tag = answer.ok ? (answer.headers.get("etag") ?? undefined) : undefined;
        setHash(tag);
        setGiven(tag !== undefined && permitted().includes(tag));
      })
      // Without an answer there is nothing to permit; the button stays as it is.
      .catch(() => undefined);
    return () => stopped.abort();
  }, [href, needed]);
  const give = () => {
    if (hash) localStorage.setItem(PLACE, JSON.stringify([...permitted(), hash].slice(-MOST)));
    setGiven(true);
  };
  return { given, give: hash ? give : undefined };
}

function permitted(): string[] {
  try {
    const hashes: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(hashes) ? hashes.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
