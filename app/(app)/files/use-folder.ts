"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { ask, Refusal } from "#app/_http/ask.ts";
import type { FileEntry, Listing } from "#lib/files/list-folder.ts";
import { listAddress } from "./addresses.ts";
import type { Beat } from "./use-pulse.ts";

export interface Folder {
  entries: FileEntry[];
  /** There are more; `more()` brings the next page. */
  next?: string;
  /** The first page is on its way. */
  loading: boolean;
  problem?: Refusal;
}

// A folder of which many pages are loaded is asked for less often, unless one changed it oneself: each page is a request.
const PAGES_AT_ONCE = 5;
const MS_PER_PAGE = 1000;

/**
 * A folder's entries, loaded page by page and again with every beat. What is shown stays until the new is here. Another
 * path is another folder: give the component its path as a key.
 */
export function useFolder(path: string, beat: Beat): Folder & { more: () => void } {
  const [folder, setFolder] = useState<Folder>({ entries: [], loading: true });
  const pages = useRef({ count: 1, loadedAt: Number.NEGATIVE_INFINITY });
  const work = useRef({ loading: false, again: false, loadingMore: "" });
  const left = useRef(new AbortController());

  useEffect(() => {
    left.current = new AbortController();
    work.current.loading = false;
    return () => left.current.abort();
  }, []);

  useEffect(() => {
    const { signal } = left.current;
    const refresh = async () => {
      // One that is on its way isn't given up for the next, or a busy workspace would never be listed.
      work.current.again = work.current.loading;
      if (work.current.loading) return;
      work.current.loading = true;
      do {
        work.current.again = false;
        const answer = await load(path, pages.current.count, signal).catch(asRefusal);
        if (signal.aborted) return;
        pages.current.loadedAt = Date.now();
        setFolder((now) => afterLoad(now, answer));
      } while (work.current.again);
      work.current.loading = false;
    };
    const { count, loadedAt } = pages.current;
    const patience = beat.own || count <= PAGES_AT_ONCE ? 0 : count * MS_PER_PAGE;
    const timer = setTimeout(refresh, Math.max(0, loadedAt + patience - Date.now()));
    return () => clearTimeout(timer);
  }, [path, beat]);

  const { next } = folder;
  const more = useCallback(async () => {
    if (!next || work.current.loadingMore === next) return;
    work.current.loadingMore = next;
    pages.current.count += 1;
    const page = await ask<Listing>(listAddress(path, next), { signal: left.current.signal }).catch(
      asRefusal,
    );
    work.current.loadingMore = "";
    if (left.current.signal.aborted) return;
    setFolder((now) => {
      if (page instanceof Refusal) return { ...now, problem: page };
      return now.next === next
        ? { ...now, entries: [...now.entries, ...page.entries], next: page.next }
        : now;
    });
  }, [next, path]);

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

function afterLoad(now: Folder, answer: Listing | Refusal): Folder {
  if (!(answer instanceof Refusal)) return same(now, answer) ? now : { loading: false, ...answer };
  // What is shown stays unless it is known to be gone: the next beat may bring it up to date.
  const stays = !now.loading && !now.problem && answer.status !== 404;
  return stays ? now : { entries: [], loading: false, problem: answer };
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

function asRefusal(problem: unknown): Refusal {
  return problem instanceof Refusal
    ? problem
    : new Refusal(0, "internal", "Something went wrong in this page.");
}
