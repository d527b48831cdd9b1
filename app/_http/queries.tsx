"use client";

import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ask, Refusal } from "./ask.ts";

/**
 * For what components ask by themselves. An answer lives as long as a component shows it, so that an old one never covers
 * what a newer page brought along; a failure is shown rather than tried again in silence; and a browser that takes itself
 * for offline still reaches a server on its own machine.
 */
export function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { gcTime: 0, retry: false, refetchOnWindowFocus: false, networkMode: "always" },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

interface Answer<T> {
  data?: T | undefined;
  /** A sentence, while the last answer was none. What was known before stays in `data`. */
  problem?: string | undefined;
  /** Signed out, or gone: asking again changes nothing. */
  over?: boolean;
}

/** Asks again and again while somebody looks at the page, and not while nobody does. `refresh` asks at once. */
export function usePoll<T>(url: string, everyMs: number) {
  const { data: answer, refetch } = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => answerOf<T>(url, signal),
    structuralSharing: (before, now) => withKnown(before as Answer<T> | undefined, now as Answer<T>),
    refetchInterval: ({ state }) => (state.data?.over ? false : everyMs),
    refetchOnWindowFocus: true,
  });
  return {
    data: answer?.data,
    problem: answer?.problem,
    refresh: () => void refetch({ cancelRefetch: false }),
  };
}

async function answerOf<T>(url: string, signal: AbortSignal): Promise<Answer<T>> {
  try {
    return { data: await ask<T>(url, { signal }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { problem: error.message, over: error.status === 401 || error.status === 404 };
  }
}

function withKnown<T>(before: Answer<T> | undefined, now: Answer<T>): Answer<T> {
  return { ...now, data: now.data ?? before?.data };
}
