import type { Metadata } from "next";
import { Suspense } from "react";
import { Section } from "#app/_components/page.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { listModels } from "#lib/models/list-models.ts";
import { modelKeysOf } from "#lib/models/model-keys.ts";
import { ProviderCard, type ProviderView } from "./provider-card.tsx";

export const metadata: Metadata = { title: "Models" };

const PROVIDER_VIEWS: ProviderView[] = [
  { provider: "google", name: "Google Gemini", about: "A key from Google AI Studio.", placeholder: "AIza…" },
  { provider: "openai", name: "OpenAI", about: "A key from OpenAI's platform.", placeholder: "sk-…" },
  {
    provider: "local",
    name: "OpenAI-compatible server",
    about: "Ollama, vLLM, LM Studio, a gateway: whatever speaks OpenAI's chat completions.",
    placeholder: "Leave empty if it needs none",
    own: true,
  },
];

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

async function ReachableModels({ userId }: { userId: string }) {
  const { models, default: first, reason } = await listModels(userId);
  if (models.length === 0) {
    return <p className="rounded-lg border border-dashed px-4 py-4 text-muted text-sm">{reason}</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <ul tabIndex={0} className="flex max-h-72 flex-wrap gap-1.5 overflow-y-auto">
      {models.map(({ id, label }) => (
        <li
          key={id}
          title={id}
          className="flex items-center gap-2 rounded-md border bg-surface px-2.5 py-1 text-sm"
        >
          <span>{label}</span>
          {id === first && <span className="text-accent text-xs">first choice</span>}
        </li>
      ))}
    </ul>
  );
}
