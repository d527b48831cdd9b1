"use client";

import { SquarePen } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { buttonClass } from "#app/_components/button.tsx";
import { ConversationMenu } from "#app/_conversations/conversation-menu.tsx";
import { conversations, useConversations } from "#app/_conversations/conversations.ts";
import { TitleField } from "#app/_conversations/title-field.tsx";

/** The title, which the server makes up once it knows what the conversation is about, and what one can do with all of it. */
export function ChatHeader({ id, title: given = "" }: { id?: string; title?: string }) {
  const router = useRouter();
  const { items } = useConversations();
  const [renaming, setRenaming] = useState(false);
  const known = items?.find((each) => each.id === id);
  const title = known?.title || given;
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b px-4 md:px-6">
      {renaming && id ? (
        <TitleField
          title={title}
          onDone={(changed) => {
            setRenaming(false);
            if (changed) conversations.rename(id, changed);
          }}
        />
      ) : (
        <h1 className="min-w-0 truncate font-semibold text-[15px]">
          {title || (id ? "New conversation" : "Chat")}
        </h1>
      )}
      {id && (
        <>
          <ConversationMenu
            id={id}
            title="this conversation"
            onRename={() => setRenaming(true)}
            onDelete={async () => {
              await conversations.remove(
                known ?? { id, title, updatedAt: new Date().toISOString(), running: false },
              );
              router.push("/chat");
            }}
          />
          <span className="flex-1" />
          <Link href="/chat" className={buttonClass({ look: "quiet", size: "small" })}>
            <SquarePen className="size-3.5" aria-hidden /> New
          </Link>
        </>
      )}
    </header>
  );
}
