// The providers' SDKs behind one function. OpenAI is spoken to by chat completions, as every compatible server is: its
// other API refers to what it remembers of earlier turns, which a conversation kept here can't rely on.
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";
import type { Credentials } from "./credentials.ts";

export function languageModel(credentials: Credentials, name: string): LanguageModel {
  const { provider, baseUrl: baseURL, fetch } = credentials;
  // Given even when there is none: the SDKs would look in the environment for another.
  const apiKey = credentials.key || "none";
  if (provider === "google") return createGoogle({ apiKey, baseURL, fetch })(name);
  return createOpenAI({ apiKey, baseURL, fetch, name: provider }).chat(name);
}
