"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, ChevronDown, Plus } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { buttonClass } from "#app/_components/button.tsx";
import { MENU_ITEM } from "#app/_components/menu.ts";
import { ask } from "#app/_http/ask.ts";
import { CONSOLES } from "./api.ts";
import { MENU } from "./console-menu.tsx";

interface Session {
  name: string;
  busy: boolean;
}

/** Which Python session the cells run in: the same ones that every other door uses. */
export function SessionPicker({ session, onPick }: { session: string; onPick: (session: string) => void }) {
  const [open, setOpen] = useState(false);
  // Without an answer, the ones known already are there to pick from.
  const { data } = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => ask<{ sessions: Session[] }>(`${CONSOLES}/sessions`, { signal }),
    enabled: open,
  });
  const sessions = data?.sessions ?? [];
  const names = [...new Set([session, "default", ...sessions.map(({ name }) => name)])];
  return (
    <DropdownMenu.Root onOpenChange={setOpen}>
      <DropdownMenu.Trigger
        className={buttonClass({ size: "small" }, "max-w-40")}
        aria-label={`Session: ${session}`}
      >
        <span className="truncate">{session}</span>
        <ChevronDown className="size-3.5 shrink-0 text-muted" aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={6} className={MENU}>
          <DropdownMenu.Label className="px-2 py-1.5 text-muted text-xs">Python session</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={session} onValueChange={onPick}>
            {names.map((name) => (
              <DropdownMenu.RadioItem key={name} value={name} className={MENU_ITEM}>
                <span className="grid size-4 place-items-center">
                  <DropdownMenu.ItemIndicator>
                    <Check className="size-4 text-accent" aria-hidden />
                  </DropdownMenu.ItemIndicator>
                </span>
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="text-muted text-xs">
                  {stateOf(sessions.find((one) => one.name === name))}
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 border-t" />
          <DropdownMenu.Item className={MENU_ITEM} onSelect={() => onPick(freeName(names))}>
            <Plus className="size-4 text-muted" aria-hidden /> New session
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function stateOf(session: Session | undefined): string {
  if (!session) return "";
  return session.busy ? "running" : "idle";
}

function freeName(taken: string[]): string {
  for (let number = 2; ; number++) if (!taken.includes(`session-${number}`)) return `session-${number}`;
}
