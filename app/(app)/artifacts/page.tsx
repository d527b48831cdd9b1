import { GalleryVerticalEnd } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState, Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";

export const metadata: Metadata = { title: "Artifacts" };

export default async function ArtifactsPage() {
  await requirePageUser();
  return (
    <Page title="Artifacts">
      <EmptyState icon={GalleryVerticalEnd} title="Nothing made yet">
        Plots, tables, documents: every file your code makes will be kept here, with the code that made it,
        ready to view and download.
      </EmptyState>
    </Page>
  );
}
