// What went wrong with a model, as a sentence for people. The provider's own words stay out of it: some repeat the key.
import { RetryError } from "ai";
import { AppError } from "../app-error.ts";
import type { Provider } from "./credentials.ts";

const NAMES: Record<Provider, string> = { google: "Google", openai: "OpenAI", local: "The model server" };

export function modelProblem(error: unknown, provider: Provider): AppError {
  if (error instanceof AppError) return error;
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const who = NAMES[provider];
  const status = statusOf(cause);
  const say = (code: AppError["code"], message: string) =>
    new AppError(code, message, { cause: wordless(cause) });
  if (isTimeout(cause)) return say("unavailable", `${who} did not answer in time.`);
  if (status === 401 || status === 403 || (status === 400 && isKeyRefusal(cause))) {
    return say("bad_request", `${who} refused the API key. Check it under Settings → Models.`);
  }
  if (status === 404) return say("bad_request", `${who} does not know this model or address.`);
  if (status === 429)
    return say("rate_limited", `${who} limits how often it is asked. Try again in a moment.`);
  if (status === 413) return say("too_large", `The conversation is too long for ${who}. Start a new one.`);
  if (status && status < 500) {
    return say("bad_request", `${who} refused the request (${status}).${isContext(cause)}`);
  }
  if (status) return say("unavailable", `${who} failed (${status}). Try again in a moment.`);
  return say("unavailable", `${who} can't be reached, or its answer broke off.`);
}

/** For the log: what kind of error it was. A provider's words may repeat the key, and a cause is logged with its words. */
function wordless(error: unknown): Error {
  const kinds = [];
  for (let at = error; at instanceof Error && kinds.length < 5; at = at.cause) {
    const { statusCode, code } = at as { statusCode?: unknown; code?: unknown };
    kinds.push([at.name, statusCode, code].filter(Boolean).join(" "));
  }
  return new Error(kinds.join(", caused by ") || typeof error);
}

/** An answer that began well and broke off later carries the status it began with, which says nothing. */
function statusOf(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === "number" && status >= 400 ? status : undefined;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

// Google answers a bad key with 400.
function isKeyRefusal(error: unknown): boolean {
  return /api key not valid|API_KEY_INVALID/i.test(bodyOf(error));
}

function bodyOf(error: unknown): string {
  const { responseBody } = (error ?? {}) as { responseBody?: unknown };
  return typeof responseBody === "string" ? responseBody : "";
}

function isContext(error: unknown): string {
  return /context[ _](length|window)|token count|too long/i.test(bodyOf(error))
    ? " The conversation is too long for this model. Start a new one."
    : "";
}
