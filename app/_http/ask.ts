// How our own pages call our own handlers: JSON there and back, and a refusal as an error with its code and its sentence.
import type { ErrorDetails } from "#lib/app-error.ts";

/** Pages decide by code and details, and show the sentence. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly retryAfterSeconds: number;

  constructor(
    status: number,
    code: string,
    message: string,
    { details = {}, retryAfterSeconds = 0 }: { details?: ErrorDetails; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Options {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
  /** Goes on when the page is left; a browser takes no more than 64 KB so. */
  keepalive?: boolean;
}

export async function ask<T>(url: string, options: Options = {}): Promise<T> {
  const response = await send(url, options);
  return (await response.json().catch(() => undefined)) as T;
}

/** The answer as it comes, for whoever reads a stream or a file. */
export async function send(
  url: string,
  { method = "GET", body, signal, keepalive = false }: Options = {},
): Promise<Response> {
  const response = await fetch(url, {
    method,
    signal,
    keepalive,
    cache: "no-store",
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new Refusal(
      0,
      "unreachable",
      "The server could not be reached. Check the connection and try again.",
    );
  });
  if (response.ok) return response;
  const answer = await response.json().catch(() => undefined);
  throw refusalFrom(response.status, answer, Number(response.headers.get("retry-after")));
}

export function refusalFrom(status: number, answer: unknown, retryAfterSeconds = 0): Refusal {
  const { error } = (answer ?? {}) as {
    error?: { code?: string; message?: string; details?: ErrorDetails };
  };
  const message = error?.message ?? "The server gave no answer that makes sense. Try again.";
  return new Refusal(status, error?.code ?? "internal", message, {
    details: error?.details,
    retryAfterSeconds,
  });
}
