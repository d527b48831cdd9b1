"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

// A long conversation is drawn from its end; what came before follows as one scrolls up.
const AT_ONCE = 30;

export function useEarlier(count: number) {
  const [shown, setShown] = useState(AT_ONCE);
  const earlier = useRef<HTMLButtonElement>(null);
  const before = useRef<{ scroller: Element; height: number; top: number }>(undefined);
  const hidden = Math.max(0, count - shown);

  const showMore = useCallback(() => {
    const scroller = earlier.current?.closest("[data-scroller]");
    if (scroller) before.current = { scroller, height: scroller.scrollHeight, top: scroller.scrollTop };
    setShown((shown) => shown + AT_ONCE);
  }, []);

  // What one reads stays where it is when something appears above it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is more being shown that moves things.
  useLayoutEffect(() => {
    if (!before.current) return;
    const { scroller, height, top } = before.current;
    before.current = undefined;
    scroller.scrollTop = top + scroller.scrollHeight - height;
  }, [shown]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the button moves when more is shown, and may be in sight again.
  useEffect(() => {
    if (!earlier.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      root: earlier.current.closest("[data-scroller]"),
      rootMargin: "800px 0px 0px",
    });
    observer.observe(earlier.current);
    return () => observer.disconnect();
  }, [shown, hidden > 0]);

  return { hidden, earlier, showMore };
}
