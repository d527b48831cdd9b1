"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { usePoll } from "#app/_http/queries.tsx";
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
  const { data: pulse } = usePoll<Pulse>("/api/files/pulse", EVERY_MS);
  const touch = useCallback(() => setBeat(({ count }) => ({ count: count + 1, own: true })), []);

  useEffect(() => {
    if (!pulse) return;
    const changed = stamp.current !== undefined && stamp.current !== pulse.stamp;
    stamp.current = pulse.stamp;
    if (changed || pulse.busy) setBeat(({ count }) => ({ count: count + 1, own: false }));
  }, [pulse]);

  useEffect(() => {
    const comeBack = () => !document.hidden && touch();
    document.addEventListener("visibilitychange", comeBack);
    return () => document.removeEventListener("visibilitychange", comeBack);
  }, [touch]);

  return { beat, touch };
}
