import type { Env } from "#env.ts";

const KEYS = { google: "GEMINI_API_KEY", openai: "OPENAI_API_KEY", local: "OPENAI_BASE_URL" } as const;

/** The variable without which COVE_MODEL leads nowhere, but for people who bring a key of their own. */
export function missingModelKey(env: Env): string | undefined {
  const provider = env.COVE_MODEL?.split("/")[0] as keyof typeof KEYS | undefined;
  return provider && !env[KEYS[provider]] ? KEYS[provider] : undefined;
}
