"use client";

import { ChevronsUpDown, KeyRound, LogOut, ShieldCheck, UserRound } from "lucide-react";
import Link from "next/link";
import { DropdownMenu } from "radix-ui";
import { MENU_ITEM } from "#app/_components/menu.ts";
import type { Theme } from "#app/_shell/theme.ts";
import { ThemeSwitch } from "#app/_shell/theme-switch.tsx";
import { signOutHere } from "#app/(entry)/actions.ts";
import type { Person } from "./sidebar.tsx";

export function UserMenu({ person, theme }: { person: Person; theme: Theme }) {
  return (
    <div className="grid gap-2 border-t pt-3">
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover">
          <Initial name={person.name} />
          <span className="grid min-w-0 flex-1 leading-tight">
            <span className="truncate font-medium text-sm">{person.name}</span>
            <span className="truncate text-muted text-xs">{person.email}</span>
          </span>
          <ChevronsUpDown className="size-3.5 text-muted" aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            side="top"
            align="start"
            sideOffset={6}
            className="z-40 w-56 rounded-lg border bg-surface p-1 shadow-lg"
          >
            <DropdownMenu.Item asChild>
              <Link href="/settings" className={MENU_ITEM}>
                <UserRound className="size-4 text-muted" aria-hidden /> Profile
              </Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item asChild>
              <Link href="/settings/tokens" className={MENU_ITEM}>
                <KeyRound className="size-4 text-muted" aria-hidden /> API tokens
              </Link>
            </DropdownMenu.Item>
            {person.admin && (
              <DropdownMenu.Item asChild>
                <Link href="/admin" className={MENU_ITEM}>
                  <ShieldCheck className="size-4 text-muted" aria-hidden /> Administration
                </Link>
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Separator className="my-1 border-t" />
            <DropdownMenu.Item className={MENU_ITEM} onSelect={() => signOutHere()}>
              <LogOut className="size-4 text-muted" aria-hidden /> Sign out
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <div className="flex items-center justify-between px-2">
        <span className="text-muted text-xs">{person.admin ? "Administrator" : ""}</span>
        <ThemeSwitch initial={theme} />
      </div>
    </div>
  );
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent text-xs"
    >
      {[...name.trim()][0]?.toUpperCase()}
    </span>
  );
}
