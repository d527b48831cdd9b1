"use client";

import { ChevronsUpDown, Download, FilePlus2, FileUp, SquareTerminal, Trash2 } from "lucide-react";
import Link from "next/link";
import { DropdownMenu } from "radix-ui";
import { useRef } from "react";
import { MENU_ITEM } from "#app/_components/menu.ts";

/** How the console's menus look. */
export const MENU = "z-40 max-h-[70dvh] w-60 overflow-y-auto rounded-lg border bg-surface p-1 shadow-lg";

export interface ConsoleMenuProps {
  id: string;
  consoles: { id: string; name: string }[];
  onNew: () => void;
  onImport: (file: File) => void;
  onExport: () => void;
  onDelete: () => void;
}

/** The other consoles, and what can be done with this one as a whole. */
export function ConsoleMenu({ id, consoles, onNew, onImport, onExport, onDelete }: ConsoleMenuProps) {
  const file = useRef<HTMLInputElement>(null);
  const others = consoles.filter((one) => one.id !== id);
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger
          aria-label="Consoles"
          className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink max-md:size-9"
        >
          <ChevronsUpDown className="size-3.5" aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content align="start" sideOffset={6} className={MENU}>
            {others.map((one) => (
              <DropdownMenu.Item asChild key={one.id}>
                <Link href={`/console/${one.id}`} className={MENU_ITEM}>
                  <SquareTerminal className="size-4 shrink-0 text-muted" aria-hidden />
                  <span className="truncate">{one.name}</span>
                </Link>
              </DropdownMenu.Item>
            ))}
            {others.length > 0 && <DropdownMenu.Separator className="my-1 border-t" />}
            <DropdownMenu.Item className={MENU_ITEM} onSelect={onNew}>
              <FilePlus2 className="size-4 text-muted" aria-hidden /> New console
            </DropdownMenu.Item>
            <DropdownMenu.Item className={MENU_ITEM} onSelect={() => file.current?.click()}>
              <FileUp className="size-4 text-muted" aria-hidden /> Import notebook…
            </DropdownMenu.Item>
            <DropdownMenu.Item className={MENU_ITEM} onSelect={onExport}>
              <Download className="size-4 text-muted" aria-hidden /> Export as .ipynb
            </DropdownMenu.Item>
            <DropdownMenu.Separator className="my-1 border-t" />
            <DropdownMenu.Item className={MENU_ITEM} onSelect={onDelete}>
              <Trash2 className="size-4 text-muted" aria-hidden /> Delete console…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <input
        ref={file}
        type="file"
        accept=".ipynb,application/x-ipynb+json,application/json"
        aria-label="Notebook to import"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = "";
          if (chosen) onImport(chosen);
        }}
      />
    </>
  );
}
