"use client";

import { useCallback, useEffect, useLayoutEffect, useRef } from "react";

/**
 * A conversation comes from its end; what was said before follows as one scrolls up. `first` is the first message that is
 * here; `load` calls back the moment before there are more.
 */
export function useEarlier(first: string | undefined, load: (onArrival: () => void) => Promise<void>) {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef<{ scroller: Element; height: number; top: number }>(undefined);

  const showMore = useCallback(() => {
    const scroller = button.current?.closest("[data-scroller]");
    return load(() => {
      if (scroller) before.current = { scroller, height: scroller.scrollHeight, top: scroller.scrollTop };
    });
  }, [load]);

  // What one reads stays where it is when something appears above it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another first message that moves things.
  useLayoutEffect(() => {
    if (!before.current) return;
    const { scroller, height, top } = before.current;
    before.current = undefined;
    scroller.scrollTop = top + scroller.scrollHeight - height;
  }, [first]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the button moves when more is shown, and may be in sight again.
  useEffect(() => {
    if (!button.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      root: button.current.closest("[data-scroller]"),
      rootMargin: "1600px 0px 0px",
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [first, showMore]);

  return { button, showMore };
}
