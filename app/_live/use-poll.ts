"use client";

import { useEffect, useRef, useState } from "react";
import { ask, Refused } from "#app/_http/ask.ts";

export interface Polled<T> {
  data: T | undefined;
  /** A sentence, while the last answer was none. What was known before stays in `data`. */
  problem: string | undefined;
  /** Asks again at once. */
  refresh: () => void;
}

/** Asks again and again while somebody looks at the page, and not while nobody does. `undefined` asks nothing. */
export function usePoll<T>(url: string | undefined, everyMs: number): Polled<T> {
  const [state, setState] = useState<{ data?: T; problem?: string }>({});
  const again = useRef(() => {});

  useEffect(() => {
    if (url === undefined) return;
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;

    const look = async () => {
      clearTimeout(timer);
      if (asking || document.hidden) return;
      asking = true;
      const answer = await answerOf<T>(url, gone.signal);
      asking = false;
      if (gone.signal.aborted) return;
      setState((known) => ({ data: answer.data ?? known.data, problem: answer.problem }));
      if (!answer.over) timer = setTimeout(look, everyMs);
    };

    again.current = look;
    void look();
    document.addEventListener("visibilitychange", look);
    return () => {
      gone.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [url, everyMs]);

  return { data: state.data, problem: state.problem, refresh: () => again.current() };
}

async function answerOf<T>(
  url: string,
  signal: AbortSignal,
): Promise<{ data?: T; problem?: string; over?: boolean }> {
  try {
    return { data: await ask<T>(url, { signal }) };
  } catch (error) {
    if (!(error instanceof Refused)) return {};
    // Signed out, or gone: asking again changes nothing.
    return { problem: error.message, over: error.status === 401 || error.status === 404 };
  }
}
