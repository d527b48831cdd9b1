// With what and where each provider is called for somebody: their own key first, else the installation's.
import { findModelKeys } from "#db/queries/model-keys.ts";
import { env } from "#env.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { checkedFetch } from "./checked-fetch.ts";
import { openKey } from "./key-cipher.ts";

/** In the order in which a default is looked for. */
export const PROVIDERS = ["google", "openai", "local"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface Credentials {
  provider: Provider;
  /** Empty for servers that ask for none. */
  key: string;
  baseUrl: string;
  fetch: typeof fetch;
  /** The person's own, not the installation's. */
  own: boolean;
}

/** A key of their own that can't be read is no reason to use somebody else's. */
export async function credentialsOf(userId: string): Promise<Credentials[]> {
  const rows = await findModelKeys(db(), userId);
  return PROVIDERS.flatMap((provider) => {
    const row = rows.find((one) => one.provider === provider);
    return (row ? openOwn(userId, provider, row) : installed(provider)) ?? [];
  });
}

function ownCredentials(provider: Provider, key: string, baseUrl: string | null): Credentials {
  return {
    provider,
    key,
    baseUrl: baseUrl ?? officialUrl(provider),
    fetch: baseUrl ? checkedFetch : fetch,
    own: true,
  };
}

function openOwn(
  userId: string,
  provider: Provider,
  { secret, baseUrl }: { secret: Buffer; baseUrl: string | null },
): Credentials | undefined {
  try {
    return ownCredentials(provider, openKey(secret, { userId, provider, baseUrl }), baseUrl);
  } catch (err) {
    log().error({ err, provider }, "a model key does not decrypt");
    return undefined;
  }
}

function installed(provider: Provider): Credentials | undefined {
  const { GEMINI_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL } = env();
  const shared = { provider, baseUrl: officialUrl(provider), fetch, own: false };
  switch (provider) {
    case "google":
      return GEMINI_API_KEY ? { ...shared, key: GEMINI_API_KEY } : undefined;
    case "openai":
      return OPENAI_API_KEY ? { ...shared, key: OPENAI_API_KEY } : undefined;
    case "local":
      return OPENAI_BASE_URL ? { ...shared, key: OPENAI_API_KEY ?? "" } : undefined;
  }
}

function officialUrl(provider: Provider): string {
  const { COVE_GEMINI_URL, COVE_OPENAI_URL, OPENAI_BASE_URL } = env();
  return { google: COVE_GEMINI_URL, openai: COVE_OPENAI_URL, local: OPENAI_BASE_URL ?? "" }[provider];
}
