import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { editOne } from "../../actions.ts";
import { SkillEditor } from "../../skill-editor.tsx";
import { openSkill } from "../open-skill.ts";

export const metadata: Metadata = { title: "Edit skill" };

export default async function EditSkillPage({ params }: { params: Promise<{ name: string }> }) {
  const user = await requirePageUser();
  const view = await openSkill(user.id, (await params).name);
  if (!view) notFound();
  if (view.skill.source !== "own") redirect(`/skills/${view.skill.name}`);
  return (
    <Page title={`Edit ${view.skill.name}`}>
      <div className="mx-auto w-full max-w-3xl">
        <SkillEditor name={view.skill.name} text={view.text} action={editOne} />
      </div>
    </Page>
  );
}
