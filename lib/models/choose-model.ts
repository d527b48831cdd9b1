import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { type Credentials, credentialsOf, PROVIDERS, type Provider } from "./credentials.ts";
import { listModels, NO_MODEL } from "./list-models.ts";

export interface ChosenModel {
  /** `provider/name` */
  id: string;
  provider: Provider;
  model: LanguageModel;
  /** Called with the person's own key. */
  ownKey: boolean;
}

/** The model somebody named, else the installation's default, else the first one reachable. */
export async function chooseModel(userId: string, wanted?: string): Promise<ChosenModel> {
  const known = await credentialsOf(userId);
  if (wanted) return named(known, wanted);
  const preset = env().COVE_MODEL;
  if (preset && known.some(({ provider }) => preset.startsWith(`${provider}/`))) return named(known, preset);
  if (known.length === 0) throw new AppError("bad_request", NO_MODEL);
  const { default: first, reason } = await listModels(userId);
  if (!first) throw new AppError("unavailable", reason ?? NO_MODEL);
  return named(known, first);
}

function named(known: Credentials[], id: string): ChosenModel {
  const [, provider, name] = /^([a-z]+)\/(.{1,200})$/.exec(id) ?? [];
  if (!isProvider(provider) || !name) {
    throw new AppError(
      "not_found",
      "A model is named google/<name>, openai/<name> or local/<name>. GET /v1/models lists them.",
      { field: "model" },
    );
  }
  const credentials = known.find((one) => one.provider === provider);
  if (!credentials) {
    throw new AppError("not_found", `There is no key for ${provider}. Add one under Settings → Models.`, {
      field: "model",
    });
  }
  return { id, provider, model: languageModel(credentials, name), ownKey: credentials.own };
}

function isProvider(text: string | undefined): text is Provider {
  return PROVIDERS.some((provider) => provider === text);
}

/** Of the provider's SDK. OpenAI is asked for chat completions, as every compatible server is: its other API refers to what it
 * remembers of earlier turns, which a conversation kept here can't rely on. */
function languageModel(credentials: Credentials, name: string): LanguageModel {
  const { provider, baseUrl: baseURL, fetch } = credentials;
  // Given even when there is none: the SDKs would look in the environment for another.
  const apiKey = credentials.key || "none";
  if (provider === "google") return createGoogle({ apiKey, baseURL, fetch })(name);
  return createOpenAI({ apiKey, baseURL, fetch, name: provider }).chat(name);
}
