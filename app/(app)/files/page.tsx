import { Folder } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState, Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";

export const metadata: Metadata = { title: "Files" };

export default async function FilesPage() {
  await requirePageUser();
  return (
    <Page title="Files">
      <EmptyState icon={Folder} title="Your workspace is empty">
        The files in your container will be listed here, to upload, edit, move and download. They last between
        runs.
      </EmptyState>
    </Page>
  );
}
