import type { Metadata } from "next";
import { Page } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { addOne } from "../actions.ts";
import { SkillEditor } from "../skill-editor.tsx";

export const metadata: Metadata = { title: "New skill" };

const BEGINNING = `---
name:
description: What it does, and when an agent should use it.
---

# How to do it

1. First …
2. Then …
`;

// No skill's name begins with a tilde, so this path is never one's page.
export default async function NewSkillPage() {
  await requirePageUser();
  return (
    <Page title="New skill">
      <div className="mx-auto w-full max-w-3xl">
        <SkillEditor text={BEGINNING} action={addOne} />
      </div>
    </Page>
  );
}
