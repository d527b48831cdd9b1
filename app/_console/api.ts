// What a console asks the server. Whatever goes wrong comes back as a sentence.
import type { Completions } from "#app/_editor/completion.ts";
import type { Content } from "./document.ts";

export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export async function ask(
  path: string,
  init: { method?: string; body?: unknown; signal?: AbortSignal } = {},
) {
  const { method = "GET", body, signal } = init;
  const request: RequestInit = { method, ...(signal && { signal }) };
  if (body !== undefined) {
    request.headers = { "content-type": "application/json" };
    request.body = JSON.stringify(body);
  }
  const response = await fetch(`/api/console${path}`, request).catch((cause) => {
    if (signal?.aborted) throw cause;
    throw new Refused("unreachable", "The server could not be reached.");
  });
  if (response.ok) return response;
  const told = await response.json().catch(() => undefined);
  throw new Refused(told?.error?.code ?? "internal", told?.error?.message ?? "Something went wrong.");
}

export async function createConsole(content: Content): Promise<string> {
  const response = await ask("", { method: "POST", body: content });
  return (await response.json()).id;
}

export async function complete(
  session: string,
  code: string,
  cursor: number,
  signal: AbortSignal,
): Promise<Completions | undefined> {
  try {
    const response = await ask("/complete", { method: "POST", body: { session, code, cursor }, signal });
    const { from, to, matches } = await response.json();
    const options = matches.map(({ text, type }: { text: string; type: string }) => ({ label: text, type }));
    return { from, to, options };
  } catch {
    return undefined; // nothing to offer is no reason to disturb anybody who types
  }
}
