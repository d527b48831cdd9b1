import type { ReactNode } from "react";
import { Page } from "#app/_components/page.tsx";
import { SectionNav } from "#app/_components/section-nav.tsx";

const SECTIONS = [
  { href: "/settings", label: "Profile" },
  { href: "/settings/security", label: "Security" },
  { href: "/settings/tokens", label: "API tokens" },
  { href: "/settings/connect", label: "Connect" },
  { href: "/settings/models", label: "Models" },
];

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <Page title="Settings">
      <div className="grid w-full max-w-4xl gap-6 md:grid-cols-[10rem_1fr] md:gap-10">
        <SectionNav label="Settings" sections={SECTIONS} />
        <div className="grid min-w-0 content-start gap-10">{children}</div>
      </div>
    </Page>
  );
}
