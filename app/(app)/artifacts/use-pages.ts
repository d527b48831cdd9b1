"use client";

import { useCallback, useRef, useState } from "react";
import { ask } from "#app/_http/ask.ts";
import type { GalleryFilter } from "./read-filter.ts";

/** An artifact as it travels from server to page: times as text. */
export interface Item {
  id: string;
  path: string;
  name: string;
  mime: string;
  kind: string;
  size: number;
  version: number;
  door: string;
  preview: string | null;
  href: string;
  createdAt: Date | string;
}

export interface Pages {
  items: Item[];
  next?: string;
}

/** The gallery's items, of which the server gave the first page and the rest comes as one scrolls. */
export function usePages(first: Pages, filter: GalleryFilter) {
  const [pages, setPages] = useState(first);
  const [problem, setProblem] = useState<string>();
  const requested = useRef<string>(undefined);
  const { next } = pages;

  const more = useCallback(async () => {
    if (!next || requested.current === next) return;
    requested.current = next;
    try {
      const page = await ask<Pages>(pageAddress(filter, next));
      setPages((now) => ({ items: [...now.items, ...page.items], next: page.next }));
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      requested.current = undefined;
    }
  }, [next, filter]);

  const forget = (ids: ReadonlySet<string>) =>
    setPages((now) => ({ ...now, items: now.items.filter(({ id }) => !ids.has(id)) }));

  return { ...pages, problem, more, forget };
}

function pageAddress({ q, ...filter }: GalleryFilter, cursor: string): string {
  const query = new URLSearchParams({ cursor, limit: "120" });
  for (const [name, value] of Object.entries({ ...filter, query: q })) if (value) query.set(name, value);
  return `/api/artifacts?${query}`;
}
