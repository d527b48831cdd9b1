// Guessing is made slow, and nobody is locked out by somebody else's guesses: most limits hold for one account at one address,
// and a device that the account knows has a count of its own.
import { countAttempt, forgetAttempts, returnAttempt, sweepAttempts } from "#db/queries/attempts.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { networkOf } from "./client-address.ts";

const QUARTER = 15 * 60;
const HOUR = 60 * 60;

const LIMITS = {
  "sign-in:address": { tries: 100, windowSeconds: QUARTER },
  "sign-in:account-address": { tries: 10, windowSeconds: QUARTER },
  // From everywhere together: one address makes at most forty of them in an hour, so that it takes several to get here, and
  // those who do get 4,800 guesses a day and shut out nobody but devices that the account has never seen.
  "sign-in:account": { tries: 200, windowSeconds: HOUR },
  "sign-in:device": { tries: 10, windowSeconds: QUARTER },
  "sign-up:address": { tries: 30, windowSeconds: HOUR },
  "invitation:address": { tries: 60, windowSeconds: HOUR },
  "password:account": { tries: 10, windowSeconds: QUARTER },
  // Signing in, tokens, model keys: each is written down in the audit, which nobody may shorten.
  "account:change": { tries: 300, windowSeconds: HOUR },
};
export type Limited = keyof typeof LIMITS;

/** Whose sign-in it is. Only a device that the account knows is named. */
export interface SignInAttempt {
  email: string;
  address: string;
  device?: string;
}

/** The address comes first: it makes no more rows than it has tries, however many accounts it makes up. */
export async function limitSignIn({ email, address, device }: SignInAttempt): Promise<void> {
  if (device) return limitAttempts("sign-in:device", device);
  await limitAttempts("sign-in:address", networkOf(address));
  await limitAttempts("sign-in:account-address", accountAt(email, address));
  await limitAttempts("sign-in:account", email);
}

/** What is shared with others only gets this one try back: being right must not make room for those who guess. */
export async function forgiveSignIn({ email, address, device }: SignInAttempt): Promise<void> {
  if (device) return forgiveAttempts("sign-in:device", device);
  await returnAttempt(db(), key("sign-in:address", networkOf(address)));
  await forgiveAttempts("sign-in:account-address", accountAt(email, address));
  await returnAttempt(db(), key("sign-in:account", email));
}

/** Everything that was counted against an account, from wherever: its password is new, or it is gone. */
export async function forgiveAccount({ id, email }: { id: string; email: string }): Promise<void> {
  await forgiveAttempts("sign-in:account", email);
  await forgiveAttempts("password:account", id);
  await forgetAttempts(db(), { prefix: key("sign-in:account-address", accountAt(email)) });
}

export async function limitAddress(what: "sign-up" | "invitation", address: string): Promise<void> {
  await limitAttempts(`${what}:address`, networkOf(address));
}

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
  await forgetAttempts(db(), { key: key(what, who) });
}

/** No e-mail address has a space, so none is the beginning of another. */
function accountAt(email: string, address?: string): string {
  return `${email} ${address === undefined ? "" : networkOf(address)}`;
}

function key(what: Limited, who: string): string {
  return `${what}:${who.toLowerCase()}`;
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
