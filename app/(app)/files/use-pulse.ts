"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { ask } from "#app/_http/ask.ts";
import type { Pulse } from "#lib/files/pulse.ts";

const EVERY_MS = 2500;

/** A reason to look again. */
export interface Beat {
  count: number;
  /** What changed, or the wish to look, is the person's own: they wait for it. */
  own: boolean;
}

/** No reason ever. */
export const STILL: Beat = { count: 0, own: true };

/**
 * Beats whenever files may have changed: something ran through any door, or `touch` says so. It looks only while the
 * page is in sight, and at once when it comes back into sight.
 */
export function usePulse(): { beat: Beat; touch: () => void } {
  const [beat, setBeat] = useState(STILL);
  const stamp = useRef<string>(undefined);
  const touch = useCallback(() => setBeat(({ count }) => ({ count: count + 1, own: true })), []);

  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const look = async () => {
      if (document.hidden) return;
      const found = await ask<Pulse>("/api/files/pulse", { signal }).catch(() => undefined);
      if (!found || signal.aborted) return;
      const changed = stamp.current !== undefined && stamp.current !== found.stamp;
      stamp.current = found.stamp;
      if (changed || found.busy) setBeat(({ count }) => ({ count: count + 1, own: false }));
    };
    const comeBack = () => {
      if (document.hidden) return;
      touch();
      void look();
    };
    void look();
    const timer = setInterval(look, EVERY_MS);
    document.addEventListener("visibilitychange", comeBack);
    return () => {
      stopped.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", comeBack);
    };
  }, [touch]);

  return { beat, touch };
}
