import { SquareTerminal } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState, Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";

export const metadata: Metadata = { title: "Console" };

export default async function ConsolePage() {
  await requirePageUser();
  return (
    <Page title="Console">
      <EmptyState icon={SquareTerminal} title="Run code yourself">
        Cells of Python and bash against the same workspace and the same variables as every other door, no
        model needed. The console arrives in a coming release.
      </EmptyState>
    </Page>
  );
}
