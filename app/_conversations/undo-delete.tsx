"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Button } from "#app/_components/button.tsx";
import { conversations, useConversations } from "./conversations.ts";

const LONG_ENOUGH = 20_000;

/** A deleted conversation can be brought back for a moment. */
export function UndoDelete() {
  const { deleted } = useConversations();
  const router = useRouter();

  useEffect(() => {
    if (!deleted) return;
    const timer = setTimeout(() => conversations.forgetDeleted(), LONG_ENOUGH);
    return () => clearTimeout(timer);
  }, [deleted]);

  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-14 z-50 flex justify-center px-4">
      {deleted && (
        <div className="pointer-events-auto flex min-w-0 max-w-md items-center gap-3 rounded-lg border bg-surface py-2 pr-2 pl-4 text-sm shadow-lg">
          <span className="min-w-0 truncate">Deleted “{deleted.title || "New conversation"}”</span>
          <Button
            size="small"
            onClick={async () => {
              await conversations.restore();
              router.push(`/chat/${deleted.id}`);
            }}
          >
            Undo
          </Button>
        </div>
      )}
    </div>
  );
}
