import { FileClock } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState, Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";

export const metadata: Metadata = { title: "History" };

export default async function HistoryPage() {
  await requirePageUser();
  return (
    <Page title="History">
      <EmptyState icon={FileClock} title="Nothing has run yet">
        Every run will be on record here, whatever door it came through: the code, its output, how long it
        took and how it ended.
      </EmptyState>
    </Page>
  );
}
