"use client";

import clsx from "clsx";
import { Download, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { MENU_ITEM } from "#app/_components/menu.ts";

export function ConversationMenu({
  id,
  title,
  className,
  onRename,
  onDelete,
}: {
  id: string;
  title: string;
  className?: string;
  onRename: () => void;
  onDelete: () => void;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label={`Options for ${title}`}
        className={clsx(
          "grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink max-md:size-9",
          className,
        )}
      >
        <Ellipsis className="size-4" aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-40 w-48 rounded-lg border bg-surface p-1 shadow-lg"
          // The field that a choice opens wants the focus, not the button.
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <DropdownMenu.Item className={MENU_ITEM} onSelect={onRename}>
            <Pencil className="size-4 text-muted" aria-hidden /> Rename
          </DropdownMenu.Item>
          <DropdownMenu.Item asChild>
            <a href={`/api/conversations/${id}/export`} download className={MENU_ITEM}>
              <Download className="size-4 text-muted" aria-hidden /> Export as Markdown
            </a>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={clsx(MENU_ITEM, "text-danger")} onSelect={onDelete}>
            <Trash2 className="size-4" aria-hidden /> Delete
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
