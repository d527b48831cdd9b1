import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { SearchDialog } from "#app/_conversations/search-dialog.tsx";
import { UndoDelete } from "#app/_conversations/undo-delete.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { Queries } from "#app/_http/queries.tsx";
import { SandboxProvider } from "#app/_sandbox/sandbox-provider.tsx";
import { Drawer } from "#app/_shell/drawer.tsx";
import { Sidebar } from "#app/_shell/sidebar.tsx";
import { readTheme } from "#app/_shell/theme.ts";

export default async function AppLayout({ children }: { children: ReactNode }) {
  const { name, email, admin } = await requirePageUser();
  const shell = { person: { name, email, admin }, theme: readTheme(await cookies()) };
  return (
    <Queries>
      <div className="min-h-dvh md:flex">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
        >
          Skip to content
        </a>
        <SandboxProvider>
          <Sidebar {...shell} />
          <Drawer {...shell} />
        </SandboxProvider>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
        <SearchDialog />
        <UndoDelete />
      </div>
    </Queries>
  );
}
