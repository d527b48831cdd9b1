"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { ask, Refused } from "#app/_http/ask.ts";
import type { FileEntry, Listing } from "#lib/files/list-folder.ts";
import { listAddress } from "./addresses.ts";

export interface Folder {
  path: string;
  entries: FileEntry[];
  /** There are more; `more()` brings the next page. */
  next?: string;
  /** The first page is on its way. */
  loading: boolean;
  problem?: Refused;
}

// A folder of which more than this many pages are loaded is only refreshed by hand.
const MOST_PAGES = 5;

/** A folder's entries, loaded page by page and again with every beat. What is shown stays until the new is here. */
export function useFolder(path: string, beat: number): Folder & { more: () => void } {
  const [folder, setFolder] = useState<Folder>({ path, entries: [], loading: true });
  const pages = useRef({ path, count: 1 });
  const loadingMore = useRef<string>(undefined);
  if (folder.path !== path) setFolder({ path, entries: [], loading: true });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a beat is the reason to load again.
  useEffect(() => {
    if (pages.current.path !== path) pages.current = { path, count: 1 };
    if (pages.current.count > MOST_PAGES) return;
    const stopped = new AbortController();
    load(path, pages.current.count, stopped.signal).then(
      (listing) => setFolder((now) => (same(now, listing) ? now : { path, loading: false, ...listing })),
      (problem) => {
        if (stopped.signal.aborted) return;
        const refused = asRefused(problem);
        // What is shown stays unless it is known to be gone: the next beat may bring it up to date.
        setFolder((now) =>
          now.path === path && !now.loading && !now.problem && refused.status !== 404
            ? now
            : { path, entries: [], loading: false, problem: refused },
        );
      },
    );
    return () => stopped.abort();
  }, [path, beat]);

  const more = useCallback(async () => {
    const { next } = folder;
    if (!next || loadingMore.current === next) return;
    loadingMore.current = next;
    pages.current.count += 1;
    try {
      const page = await ask<Listing>(listAddress(path, next));
      setFolder((now) =>
        now.path === path && now.next === next
          ? { ...now, entries: [...now.entries, ...page.entries], next: page.next }
          : now,
      );
    } catch (problem) {
      setFolder((now) => (now.path === path ? { ...now, problem: asRefused(problem) } : now));
    } finally {
      loadingMore.current = undefined;
    }
  }, [folder, path]);

  return { ...folder, more };
}

async function load(path: string, count: number, signal: AbortSignal): Promise<Listing> {
  const entries: FileEntry[] = [];
  let next: string | undefined;
  for (let page = 0; page < count && (page === 0 || next); page += 1) {
    const listing = await ask<Listing>(listAddress(path, next), { signal });
    entries.push(...listing.entries);
    next = listing.next;
  }
  return { entries, next };
}

function same(now: Folder, { entries, next }: Listing): boolean {
  return (
    !now.loading &&
    !now.problem &&
    now.next === next &&
    now.entries.length === entries.length &&
    JSON.stringify(now.entries) === JSON.stringify(entries)
  );
}

function asRefused(problem: unknown): Refused {
  return problem instanceof Refused
    ? problem
    : new Refused(0, "internal", "Something went wrong in this page.");
}
