"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { listConversations, type Summary } from "./conversations.ts";
import { SearchResults } from "./search-results.tsx";

const OPEN = "cove:search";
const PAUSE_MS = 150;

/** Opens the search from anywhere on the page. */
export function openSearch(): void {
  document.dispatchEvent(new Event(OPEN));
}

/** Search over titles and contents, by ⌘K or Ctrl-K. */
export function SearchDialog() {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const show = () => setOpen(true);
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      setOpen((open) => !open);
    };
    document.addEventListener(OPEN, show);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener(OPEN, show);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);

  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-xl border bg-surface shadow-xl outline-none"
        >
          <Dialog.Title className="sr-only">Search conversations</Dialog.Title>
          <SearchBox onDone={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SearchBox({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const list = useId();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const { matches, problem } = useSearch(query);
  const items = matches ?? [];

  const go = ({ id }: Summary) => {
    onDone();
    router.push(`/chat/${id}`);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = items[active];
    if (event.key === "Enter" && chosen) go(chosen);
    else if (event.key === "ArrowDown") setActive(Math.min(active + 1, items.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden />
        <input
          role="combobox"
          aria-label="Search conversations"
          aria-expanded={items.length > 0}
          aria-controls={list}
          aria-activedescendant={items[active] ? `${list}-${items[active].id}` : undefined}
          placeholder="Search titles and contents"
          value={query}
          maxLength={200}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent outline-none"
        />
      </div>
      <SearchResults
        id={list}
        items={matches}
        problem={problem}
        query={query}
        active={active}
        onHover={setActive}
        onChoose={go}
      />
    </>
  );
}

/** What a search finds, asked for when the typing pauses. What the last one found stays until then. */
function useSearch(query: string): { matches: Summary[] | undefined; problem: string | undefined } {
  const { data, error } = useQuery({
    queryKey: ["conversations", query],
    queryFn: async ({ signal }) => {
      if (query) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const { conversations } = await listConversations({ q: query.trim() }, signal);
      return conversations;
    },
    placeholderData: keepPreviousData,
  });
  return { matches: error ? [] : data, problem: error?.message };
}
