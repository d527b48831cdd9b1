import type { ReactNode } from "react";
import { Page } from "#app/_components/page.tsx";
import { SettingsNav } from "./settings-nav.tsx";

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <Page title="Settings">
      <div className="grid w-full max-w-4xl gap-6 md:grid-cols-[10rem_1fr] md:gap-10">
        <SettingsNav />
        <div className="grid min-w-0 content-start gap-10">{children}</div>
      </div>
    </Page>
  );
}
