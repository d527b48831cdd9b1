"use client";

import { useEffect, useState } from "react";
import { durationText } from "#app/_results/duration-text.ts";

/** How long it has been going on, once that is worth mentioning. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const whole = Math.floor((now - since) / 1000) * 1000;
  // Not for screen readers: it would be read out every second.
  return whole > 0 && <span aria-hidden>{durationText(whole)}</span>;
}
