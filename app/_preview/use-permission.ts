"use client";

import { useEffect, useState } from "react";

const PLACE = "cove.pages-that-may-run";
const MOST = 500;

export interface Permission {
  given: boolean;
  /** Nothing until it is known which content the permission would be for. */
  give: (() => void) | undefined;
}

/** Whether the person let this content run, wherever it turns up. It counts for these bytes and for no others. */
export function usePermission(href: string, needed: boolean): Permission {
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
