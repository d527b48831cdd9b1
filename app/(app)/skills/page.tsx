import { Sparkles } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState, Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/page-guard.ts";

export const metadata: Metadata = { title: "Skills" };

export default async function SkillsPage() {
  await requirePageUser();
  return (
    <Page title="Skills">
      <EmptyState icon={Sparkles} title="No skills yet">
        Skills are short guides that an agent reads before it does a certain kind of work. Built-in ones and
        your own will be listed here.
      </EmptyState>
    </Page>
  );
}
