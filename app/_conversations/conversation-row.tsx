"use client";

import clsx from "clsx";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConversationMenu } from "./conversation-menu.tsx";
import { conversations, type Summary } from "./conversations.ts";
import { TitleField } from "./title-field.tsx";

export function ConversationRow({
  summary,
  here,
  onNavigate,
}: {
  summary: Summary;
  here: boolean;
  onNavigate?: () => void;
}) {
  const router = useRouter();
  const [renaming, setRenaming] = useState(false);
  const title = summary.title || "New conversation";
  if (renaming) {
    return (
      <li>
        <TitleField
          title={summary.title}
          onDone={(changed) => {
            setRenaming(false);
            if (changed) conversations.rename(summary.id, changed);
          }}
        />
      </li>
    );
  }
  return (
    <li
      className={clsx(
        "group/row flex h-8 items-center rounded-md pr-0.5 text-sm max-md:h-10",
        here ? "bg-hover text-ink" : "text-muted focus-within:bg-hover hover:bg-hover hover:text-ink",
      )}
    >
      <Link
        href={`/chat/${summary.id}`}
        prefetch={false}
        onClick={onNavigate}
        aria-current={here ? "page" : undefined}
        title={title}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-md pl-2.5"
      >
        <span className="min-w-0 flex-1 truncate">{title}</span>
        {summary.running && (
          <span
            role="img"
            aria-label="Running"
            className="size-1.5 shrink-0 animate-pulse rounded-full bg-accent"
          />
        )}
      </Link>
      <ConversationMenu
        id={summary.id}
        title={title}
        className="opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 data-[state=open]:opacity-100 max-md:opacity-100"
        onRename={() => setRenaming(true)}
        onDelete={async () => {
          await conversations.remove(summary);
          if (here) router.push("/chat");
        }}
      />
    </li>
  );
}
