"use client";

import { Plus, Search } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { IconButton } from "#app/_components/button.tsx";
import { byDate } from "./by-date.ts";
import { ConversationRow } from "./conversation-row.tsx";
import { conversations, useConversations } from "./conversations.ts";
import { openSearch } from "./search-dialog.tsx";

/** A person's conversations by date, under the navigation. */
export function ConversationList({ onNavigate }: { onNavigate?: () => void }) {
  const { items, next, problem } = useConversations();
  const path = usePathname();

  useEffect(() => {
    conversations.refresh();
    const seen = () => document.visibilityState === "visible" && conversations.refresh();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);

  return (
    <section aria-label="Conversations" className="mt-5 grid grid-cols-1 gap-1">
      <div className="flex items-center gap-1 pr-0.5 pl-2.5">
        <h2 className="flex-1 font-medium text-muted text-xs">Conversations</h2>
        <IconButton
          icon={Search}
          label="Search conversations (⌘K)"
          onClick={() => {
            onNavigate?.();
            openSearch();
          }}
        />
        <Link
          href="/chat"
          onClick={onNavigate}
          aria-label="New conversation"
          title="New conversation"
          className="grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink max-md:size-9"
        >
          <Plus className="size-4" aria-hidden />
        </Link>
      </div>
      {problem && <p className="px-2.5 text-danger text-xs">{problem}</p>}
      {!items && !problem && <Loading />}
      {items?.length === 0 && <p className="px-2.5 py-1 text-muted text-xs">What you ask is kept here.</p>}
      {items &&
        byDate(items).map(({ label, items }) => (
          <div key={label} className="mb-2">
            <h3 className="px-2.5 py-1 text-[11px] text-muted">{label}</h3>
            <ul className="grid grid-cols-1 gap-px">
              {items.map((each) => (
                <ConversationRow
                  key={each.id}
                  summary={each}
                  here={path === `/chat/${each.id}`}
                  onNavigate={onNavigate}
                />
              ))}
            </ul>
          </div>
        ))}
      {next && (
        <button
          type="button"
          onClick={() => conversations.more()}
          className="mx-2.5 rounded-md py-1.5 text-left text-muted text-xs hover:text-ink"
        >
          Show older
        </button>
      )}
    </section>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading conversations" className="grid gap-2 px-2.5 py-1.5">
      {["w-4/5", "w-3/5", "w-2/3"].map((width) => (
        <span key={width} className={`h-3 animate-pulse rounded bg-hover ${width}`} />
      ))}
    </div>
  );
}
