"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useTransition } from "react";

/**
 * One filter of a list, kept in the address: a reload, a bookmark and the back button find the same list again. The page
 * reads it from `searchParams`; `pending` is true until the page has answered.
 */
export function useFilter(name: string): {
  value: string;
  change: (value: string) => void;
  pending: boolean;
} {
  const router = useRouter();
  const path = usePathname();
  const search = useSearchParams();
  const [pending, startTransition] = useTransition();

  const change = useCallback(
    (value: string) => {
      // What is in the address now: another filter may have changed since this was rendered.
      const next = new URLSearchParams(window.location.search);
      if (value) next.set(name, value);
      else next.delete(name);
      const query = next.toString();
      startTransition(() => router.replace(query ? `${path}?${query}` : path, { scroll: false }));
    },
    [name, path, router],
  );

  return { value: search.get(name) ?? "", change, pending };
}
