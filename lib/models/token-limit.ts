import { sumTokens } from "#db/queries/usage.ts";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { startOfDay } from "../days.ts";
import type { ChosenModel } from "./choose-model.ts";

const DAY_MS = 24 * 3_600_000;

/** Before a turn begins; one that is under way is held by its own budget. Whoever brings a key pays for it and is free. */
export async function requireTokensLeft(
  userId: string,
  { ownKey }: Pick<ChosenModel, "ownKey">,
  now = Date.now(),
): Promise<void> {
  if (ownKey) return;
  const limit = env().COVE_TOKENS_PER_DAY;
  const from = startOfDay(now);
  const to = new Date(from.getTime() + DAY_MS);
  const used = await sumTokens(db(), userId, from, to);
  if (used < limit) return;
  throw new AppError(
    "rate_limited",
    `You have used ${used.toLocaleString("en")} of ${limit.toLocaleString("en")} model tokens today. ` +
      "There are new ones at midnight UTC; a key of your own under Settings → Models has no such limit.",
    { retryAfterSeconds: Math.ceil((to.getTime() - now) / 1000) },
  );
}
