import { Plus } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";
import { Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { shelfOf } from "#lib/skills/skills.ts";
import { SkillLists } from "./skill-lists.tsx";
import { UploadSkill } from "./upload-skill.tsx";

export const metadata: Metadata = { title: "Skills" };

export default async function SkillsPage() {
  const user = await requirePageUser();
  const skills = await shelfOf(user.id);
  const actions = (
    <div className="flex items-center gap-2">
      <UploadSkill />
      <Link href="/skills/~new" className={buttonClass({ look: "primary", size: "small" })}>
        <Plus className="size-3.5" aria-hidden /> New skill
      </Link>
    </div>
  );
  return (
    <Page title="Skills" actions={actions}>
      <div className="mx-auto grid w-full max-w-3xl gap-8">
        <p className="text-balance text-muted text-sm">
          Short guides that an agent reads before it does a certain kind of work. It sees their names and
          descriptions, and reads one when it fits the task. So do your MCP clients.
        </p>
        <SkillLists skills={skills} />
      </div>
    </Page>
  );
}
