import type { ReactNode } from "react";
import { Page } from "#app/_components/page.tsx";
import { SectionNav } from "#app/_components/section-nav.tsx";
import { requirePageAdmin } from "#app/_http/guards.ts";

const SECTIONS = [
  { href: "/admin", label: "System" },
  { href: "/admin/users", label: "People" },
  { href: "/admin/sandboxes", label: "Sandboxes" },
  { href: "/admin/usage", label: "Usage" },
  { href: "/admin/network", label: "Network" },
  { href: "/admin/audit", label: "Audit log" },
];

export default async function AdminLayout({ children }: { children: ReactNode }) {
  await requirePageAdmin();
  return (
    <Page title="Administration">
      <div className="grid w-full max-w-6xl gap-6 md:grid-cols-[10rem_1fr] md:gap-10">
        <SectionNav label="Administration" sections={SECTIONS} />
        <div className="grid min-w-0 content-start gap-10">{children}</div>
      </div>
    </Page>
  );
}
