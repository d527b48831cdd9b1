import { CircleAlert, CircleCheck } from "lucide-react";
import type { Metadata } from "next";
import { Section } from "#app/_components/page.tsx";
import { requirePageAdmin } from "#app/_http/guards.ts";
import { examineSystem } from "#lib/admin/system-health.ts";

export const metadata: Metadata = { title: "System" };

export default async function SystemPage() {
  await requirePageAdmin();
  const findings = await examineSystem();
  return (
    <Section
      title="System"
      about="What Cove stands on, as it is right now. `npm run doctor` says the same in a shell, with the fix."
    >
      <ul className="divide-y rounded-lg border bg-surface">
        {findings.map(({ name, ok, says }) => (
          <li key={name} className="flex items-start gap-3 px-4 py-2.5 text-sm">
            {ok ? (
              <CircleCheck className="mt-0.5 size-4 shrink-0 text-accent" aria-label="ok" />
            ) : (
              <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-label="problem" />
            )}
            <span className="w-28 shrink-0 font-medium">{name}</span>
            <span className="min-w-0 break-words text-muted">{says}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
