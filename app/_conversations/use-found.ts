"use client";

import { useEffect, useState } from "react";
import { listConversations, type Summary } from "./conversations.ts";

export interface Found {
  /** Undefined until the first answer. */
  items: Summary[] | undefined;
  problem?: string;
}

/** What a search finds; asked again when the typing pauses. What was found last stays until then. */
export function useFound(query: string): Found {
  const [found, setFound] = useState<Found>({ items: undefined });

  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        listConversations({ q: query.trim() }, controller.signal).then(
          ({ conversations }) => setFound({ items: conversations }),
          (error) => controller.signal.aborted || setFound({ items: [], problem: error.message }),
        );
      },
      query ? 150 : 0,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);

  return found;
}
