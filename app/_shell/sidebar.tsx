import Link from "next/link";
import type { ReactNode } from "react";
import { Logo } from "#app/_components/logo.tsx";
import { ConversationList } from "#app/_conversations/conversation-list.tsx";
import { SandboxButton } from "#app/_sandbox/sandbox-button.tsx";
import type { Theme } from "#app/_shell/theme.ts";
import { Nav } from "./nav.tsx";
import { UserMenu } from "./user-menu.tsx";

export interface Person {
  name: string;
  email: string;
  admin: boolean;
}

/** What stands in the sidebar on wide screens and in the drawer on narrow ones. */
export function SidebarContent({
  person,
  theme,
  head,
  onNavigate,
}: {
  person: Person;
  theme: Theme;
  /** Below the name. */
  head?: ReactNode;
  onNavigate?: () => void;
}) {
  return (
    <>
      <header className="grid gap-3">
        <Link
          href="/chat"
          onClick={onNavigate}
          className="flex items-center gap-2 rounded-md px-2 py-1 font-semibold"
        >
          <Logo className="size-5" />
          Cove
        </Link>
        {head}
      </header>
      <div className="-mx-1 mt-4 min-h-0 flex-1 overflow-y-auto px-1 pb-3">
        <Nav onNavigate={onNavigate} />
        <ConversationList onNavigate={onNavigate} />
      </div>
      <UserMenu person={person} theme={theme} />
    </>
  );
}

export function Sidebar(props: { person: Person; theme: Theme }) {
  return (
    <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r bg-sunken p-3 md:flex">
      <SidebarContent {...props} head={<SandboxButton />} />
    </aside>
  );
}
