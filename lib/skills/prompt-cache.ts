// The prompts of the moment, because what is behind them are files and rows. A change of a user's own skills is in the
// next one; a change of everybody's within seconds.
import { perProcess } from "../per-process.ts";

const FRESH_MS = 3_000;
const MOST_PROMPTS = 200;
const prompts = perProcess<Map<string, { at: number; text: Promise<string> }>>("prompts");

export function cachedPrompt(userId: string, make: () => Promise<string>): Promise<string> {
  const all = prompts.get(() => new Map());
  const known = all.get(userId);
  if (known && Date.now() - known.at < FRESH_MS) return known.text;
  const text = make();
  text.catch(() => all.delete(userId));
  all.delete(userId);
  all.set(userId, { at: Date.now(), text });
  if (all.size > MOST_PROMPTS) all.delete(all.keys().next().value ?? "");
  return text;
}

export function forgetPrompt(userId: string): void {
  prompts.peek()?.delete(userId);
}
