"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { ask } from "#app/_http/ask.ts";
import type { Pulse } from "#lib/files/pulse.ts";

const EVERY_MS = 2500;

/**
 * Counts up whenever files may have changed: something ran through any door, or `touch` says so. It looks only while the
 * page is in sight, and at once when it comes back into sight.
 */
export function usePulse(): { beat: number; touch: () => void } {
  const [beat, setBeat] = useState(0);
  const stamp = useRef<string>(undefined);
  const touch = useCallback(() => setBeat((count) => count + 1), []);

  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const look = async () => {
      if (document.hidden) return;
      const found = await ask<Pulse>("/api/files/pulse", { signal }).catch(() => undefined);
      if (!found || signal.aborted) return;
      const changed = stamp.current !== undefined && stamp.current !== found.stamp;
      stamp.current = found.stamp;
      if (changed || found.busy) touch();
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
