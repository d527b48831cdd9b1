"use client";

import { Menu, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { Logo } from "#app/_components/logo.tsx";
import { SandboxButton } from "#app/_sandbox/sandbox-button.tsx";
import type { Theme } from "#app/_shell/theme.ts";
import { type Person, SidebarContent } from "./sidebar.tsx";

/** The bar on top of narrow screens, and the sidebar it opens. */
export function Drawer(props: { person: Person; theme: Theme }) {
  const [open, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-10 flex h-12 items-center gap-2 border-b bg-sunken px-2 md:hidden">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger aria-label="Open navigation" className="rounded-md p-2 hover:bg-hover">
          <Menu className="size-5" aria-hidden />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-20 bg-black/40" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-30 flex w-72 max-w-[85vw] flex-col border-r bg-sunken p-3"
          >
            <Dialog.Title className="sr-only">Navigation</Dialog.Title>
            <Dialog.Close
              aria-label="Close navigation"
              className="absolute top-2.5 right-2 rounded-md p-2 hover:bg-hover"
            >
              <X className="size-5" aria-hidden />
            </Dialog.Close>
            <SidebarContent {...props} onNavigate={() => setOpen(false)} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <span className="flex shrink-0 items-center gap-2 font-semibold">
        <Logo className="size-5" />
        <span className="max-[22rem]:sr-only">Cove</span>
      </span>
      <SandboxButton compact />
    </header>
  );
}
