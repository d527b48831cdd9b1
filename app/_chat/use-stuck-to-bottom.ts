"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

// How near the end counts as being there.
const NEAR = 64;

/** Keeps the end of what grows in sight, until the person scrolls away from it. */
export function useStuckToBottom() {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);

  const toBottom = useCallback(() => {
    stuck.current = true;
    setAway(false);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  useLayoutEffect(toBottom, [toBottom]);

  useEffect(() => {
    const [scroller, inner] = [box.current, content.current];
    if (!scroller || !inner) return;
    let last = scroller.scrollTop;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const near = scrollHeight - scrollTop - clientHeight < NEAR;
      // Only upwards is away: what grew since it was scrolled to its end leaves the end behind, too.
      if (near || scrollTop < last) stuck.current = near;
      last = scrollTop;
      setAway(!stuck.current);
    };
    const onResize = () => {
      if (stuck.current) scroller.scrollTop = scroller.scrollHeight;
    };
    const observer = new ResizeObserver(onResize);
    observer.observe(inner);
    observer.observe(scroller);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", onScroll);
    };
  }, []);

  return { box, content, away, toBottom };
}
