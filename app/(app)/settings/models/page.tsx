import type { Metadata } from "next";
import { Suspense } from "react";
import { Section } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { modelKeysOf } from "#lib/models/model-keys.ts";
import { ProviderCard } from "./provider-card.tsx";
import { PROVIDER_VIEWS } from "./provider-views.ts";
import { ReachableModels } from "./reachable-models.tsx";

export const metadata: Metadata = { title: "Models" };

export default async function ModelsPage() {
  const user = await requirePageUser();
  const keys = await modelKeysOf(user.id);
  return (
    <>
      <Section
        title="Your model keys"
        about="Connect a model with a key of your own. Keys are encrypted, used for you alone, and never shown again."
      >
        <ul className="grid grid-cols-1 gap-4">
          {PROVIDER_VIEWS.map((view) => (
            <ProviderCard
              key={view.provider}
              view={view}
              known={keys.find(({ provider }) => provider === view.provider)}
            />
          ))}
        </ul>
      </Section>
      <Section
        title="What you can talk to"
        about="As the providers answer right now, with your keys and this installation's."
      >
        <Suspense fallback={<p className="text-muted text-sm">Asking the providers…</p>}>
          <ReachableModels userId={user.id} />
        </Suspense>
      </Section>
    </>
  );
}
