// What a user can make grow besides workspace, history and artifacts, which have sizes of their own: how many there may be of
// each, and what the person is told who wants one more. docs/security.md has the whole table.
import { AppError } from "./app-error.ts";

const MB = 2 ** 20;

/** Of each, per user. */
export const MOST = {
  /** Those that were deleted and can still be brought back are among them. */
  conversations: 5_000,
  consoles: 200,
  consoleBytes: 100 * MB,
  tokens: 100,
  /** The one that was used longest ago ends when there is another. */
  webSessions: 50,
  /** Different ones in a day; the others are counted together. */
  deniedHosts: 1_000,
  /** Of those that are older than two days: the limit of tokens per day counts the newer ones. */
  agentTurns: 100_000,
};

/** How long rows are kept that nobody deletes by hand. The audit's trigger lets younger ones be deleted by nobody. */
export const KEPT_DAYS = { deniedHosts: 90, agentTurns: 400, audit: 400 };

const REMEDIES = {
  conversations: "Delete some of them first.",
  consoles: "Delete one first.",
  tokens: "Revoke one that is no longer used.",
};

/** One more, where there are so many. */
export function requireBelow(what: keyof typeof REMEDIES, count: number): void {
  if (count < MOST[what]) return;
  throw new AppError(
    "conflict",
    `You have ${MOST[what].toLocaleString("en")} ${what} already. ${REMEDIES[what]}`,
  );
}
