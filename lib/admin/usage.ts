// What everybody used lately, by person and by day.
import { listUsage } from "#db/queries/usage.ts";
import { db } from "../database.ts";
import { lastDays, nextDay } from "../days.ts";

interface Used {
  runs: number;
  ms: number;
  cpuMs: number;
  tokens: number;
}

export interface Usage {
  days: ({ day: string } & Used)[];
  people: ({ userId: string; email: string } & Used)[];
}

const NOTHING: Used = { runs: 0, ms: 0, cpuMs: 0, tokens: 0 };

/** Of the last so many days, today included; people with the most runs first. */
export async function readUsage(days: number, now = Date.now()): Promise<Usage> {
  const all = lastDays(days, now);
  const rows = await listUsage(db(), all[0] ?? "", nextDay(now));
  const byDay = new Map(all.map((day) => [day, { day, ...NOTHING }]));
  const byPerson = new Map<string, Usage["people"][number]>();
  for (const { userId, email, day, runs, ms, cpuMs, inputTokens, outputTokens } of rows) {
    const used = { runs, ms, cpuMs, tokens: inputTokens + outputTokens };
    const person = byPerson.get(userId) ?? { userId, email, ...NOTHING };
    byPerson.set(userId, { ...person, ...sum(person, used) });
    const known = byDay.get(day);
    if (known) byDay.set(day, { ...known, ...sum(known, used) });
  }
  return {
    days: [...byDay.values()],
    people: [...byPerson.values()].sort((a, b) => b.runs - a.runs || b.tokens - a.tokens),
  };
}

function sum(a: Used, b: Used): Used {
  return { runs: a.runs + b.runs, ms: a.ms + b.ms, cpuMs: a.cpuMs + b.cpuMs, tokens: a.tokens + b.tokens };
}
