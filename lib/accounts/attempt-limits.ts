// Guessing is made slow: so many tries per account and per address, then a wait.
import { countAttempt, forgetAttempts, sweepAttempts } from "#db/queries/attempts.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";

const LIMITS = {
  "sign-in:account": { tries: 10, windowSeconds: 15 * 60 },
  "sign-in:address": { tries: 100, windowSeconds: 15 * 60 },
  "sign-up:address": { tries: 30, windowSeconds: 60 * 60 },
  "password:account": { tries: 10, windowSeconds: 15 * 60 },
};
export type Limited = keyof typeof LIMITS;

export async function limitAttempts(what: Limited, who: string): Promise<void> {
  const { tries, windowSeconds } = LIMITS[what];
  const { count, resetsAt } = await countAttempt(db(), key(what, who), windowSeconds);
  // Whoever guesses makes rows for names and addresses without end; each new one sweeps up those that have passed.
  if (count === 1) await sweepAttempts(db());
  if (count <= tries) return;
  const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1000));
  throw new AppError("rate_limited", `Too many attempts. Try again in ${inWords(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

export async function forgiveAttempts(what: Limited, who: string): Promise<void> {
  await forgetAttempts(db(), key(what, who));
}

function key(what: Limited, who: string): string {
  return `${what}:${who.toLowerCase()}`;
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
