// What is really reachable: each provider is asked for its models, and the answer is kept for a minute.
import { createHash } from "node:crypto";
import { z } from "zod";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { perProcess } from "../per-process.ts";
import { type Credentials, credentialsOf } from "./credentials.ts";
import { modelProblem } from "./model-problem.ts";

export interface ModelChoice {
  /** `provider/name` */
  id: string;
  label: string;
}

export interface ModelList {
  models: ModelChoice[];
  default: string | null;
  /** Why there is none. */
  reason?: string;
}

const FRESH_MS = 60_000;
const FAILED_MS = 5_000;
const PATIENCE_MS = 5_000;
const MOST_BYTES = 4 * 2 ** 20;
const MOST_MODELS = 500;
const MOST_KEPT = 1_000;

export const NO_MODEL =
  "No model is connected. Add your own key under Settings → Models, or ask the operator to set GEMINI_API_KEY, " +
  "OPENAI_API_KEY or OPENAI_BASE_URL. Until then, start a message with ! to run a command or with >>> to run Python.";

export async function listModels(userId: string): Promise<ModelList> {
  const known = await credentialsOf(userId);
  const answers = await Promise.all(known.map((one) => reachable(one).catch(sentence)));
  const models = answers.flatMap((answer) => (typeof answer === "string" ? [] : answer));
  const wanted = env().COVE_MODEL;
  const first = models.find(({ id }) => id === wanted) ?? models[0];
  if (first) return { models, default: first.id };
  const problems = answers.filter((answer) => typeof answer === "string");
  return { models, default: null, reason: problems.length > 0 ? problems.join(" ") : NO_MODEL };
}

const cache = perProcess<Map<string, { at: number; answer: Promise<ModelChoice[]> }>>("models");

/** The provider's models; rejects with a sentence when it doesn't answer or doesn't know the key. */
async function reachable(credentials: Credentials): Promise<ModelChoice[]> {
  const all = cache.get(() => new Map());
  const { provider, key, baseUrl } = credentials;
  const name = createHash("sha256")
    .update(JSON.stringify([provider, key, baseUrl]))
    .digest("base64");
  const known = all.get(name);
  if (known && Date.now() - known.at < FRESH_MS) return known.answer;
  const entry = { at: Date.now(), answer: ask(credentials) };
  all.set(name, entry);
  if (all.size > MOST_KEPT) for (const old of [...all.keys()].slice(0, MOST_KEPT / 2)) all.delete(old);
  entry.answer.catch(() => {
    entry.at = Date.now() - FRESH_MS + FAILED_MS;
  });
  return entry.answer;
}

/** Forgets what is kept, so that a key is really tried. */
export async function reachableNow(credentials: Credentials): Promise<ModelChoice[]> {
  return ask(credentials);
}

const listed = {
  google: z.object({
    models: z
      .array(
        z.object({
          name: z.string(),
          displayName: z.string().optional(),
          supportedGenerationMethods: z.array(z.string()).default([]),
        }),
      )
      .default([]),
  }),
  openai: z.object({ data: z.array(z.object({ id: z.string(), created: z.number().optional() })) }),
};

async function ask(credentials: Credentials): Promise<ModelChoice[]> {
  const { provider, key, baseUrl } = credentials;
  const google = provider === "google";
  const headers = google ? { "x-goog-api-key": key } : key ? { authorization: `Bearer ${key}` } : {};
  try {
    const response = await credentials.fetch(`${baseUrl}/models${google ? "?pageSize=1000" : ""}`, {
      headers: headers as Record<string, string>,
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "error",
    });
    const text = await readBounded(response);
    if (!response.ok) {
      throw Object.assign(new Error("refused"), { statusCode: response.status, responseBody: text });
    }
    const body = JSON.parse(text);
    const choices = google ? googleChoices(body) : openaiChoices(provider, body);
    return choices.slice(0, MOST_MODELS);
  } catch (error) {
    throw modelProblem(error, provider);
  }
}

function googleChoices(body: unknown): ModelChoice[] {
  return listed.google
    .parse(body)
    .models.filter(
      ({ name, supportedGenerationMethods }) =>
        supportedGenerationMethods.includes("generateContent") &&
        /^models\/gemini-/.test(name) &&
        !/(image|tts|audio|embedding|live|robotics|computer-use)/.test(name),
    )
    .map(({ name, displayName }) => {
      const bare = name.replace(/^models\//, "");
      return { id: `google/${bare}`, label: displayName ?? bare };
    })
    .sort((a, b) => preference(a.id) - preference(b.id));
}

// An alias that Google keeps current serves better than whichever comes first.
function preference(id: string): number {
  return id === "google/gemini-flash-latest" ? 0 : 1;
}

function openaiChoices(provider: string, body: unknown): ModelChoice[] {
  const chats = (id: string) =>
    provider === "local" ||
    (/^(gpt-|o\d|chatgpt-)/.test(id) &&
      !/(audio|realtime|image|tts|transcribe|search|instruct|embedding|moderation)/.test(id));
  return listed.openai
    .parse(body)
    .data.filter(({ id }) => chats(id))
    .sort((a, b) => (b.created ?? 0) - (a.created ?? 0))
    .map(({ id }) => ({ id: `${provider}/${id}`, label: id }));
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new Error("The list of models is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function sentence(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}
