import type { Provider } from "#lib/models/credentials.ts";

export interface ProviderView {
  provider: Provider;
  name: string;
  about: string;
  placeholder: string;
  /** A server of one's own has an address, and often needs no key. */
  own?: boolean;
}

export const PROVIDER_VIEWS: ProviderView[] = [
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
