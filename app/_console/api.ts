// What a console asks the server.
import type { Completions } from "#app/_editor/completion.ts";
import { ask, send } from "#app/_http/ask.ts";
import type { Content } from "./document.ts";

export const CONSOLES = "/api/console";

export async function createConsole(content: Content): Promise<string> {
  const { id } = await ask<{ id: string }>(CONSOLES, { method: "POST", body: content });
  return id;
}

/** What is on the screen, with what its runs printed and drew. */
export async function exportConsole(id: string, content: Content): Promise<Blob> {
  const response = await send(`${CONSOLES}/${id}/export`, { method: "POST", body: content });
  return response.blob();
}

interface Answer {
  from: number;
  to: number;
  matches: { text: string; type: string }[];
}

export async function complete(
  session: string,
  code: string,
  cursor: number,
  signal: AbortSignal,
): Promise<Completions | undefined> {
  try {
    const body = { session, code, cursor };
    const { from, to, matches } = await ask<Answer>(`${CONSOLES}/complete`, { method: "POST", body, signal });
    return { from, to, options: matches.map(({ text, type }) => ({ label: text, type })) };
  } catch {
    return undefined; // nothing to offer is no reason to disturb anybody who types
  }
}
