// A user's history: pages of what has ended, and what is live now.
import {
  deleteRuns as deleteRows,
  listConversationNames,
  listLiveRuns,
  listRuns,
} from "#db/queries/history.ts";
import { findHistoryPage, type HistoryFilter } from "#db/queries/history-page.ts";
import { AppError } from "../app-error.ts";
import { sweepThese } from "../blobs/sweep-blobs.ts";
import { db } from "../database.ts";
import { wordsOf } from "../executions/searchable.ts";
import { outcomesByDay } from "./outcomes-by-day.ts";

export type RunSummary = Awaited<ReturnType<typeof listRuns>>[number];

export interface HistoryQuery extends Omit<HistoryFilter, "words"> {
  text?: string;
}

export interface HistoryPage {
  runs: RunSummary[];
  /** Hand it in as `before` for the next page. */
  next?: string;
  /** Only what is younger was searched so far; the next page goes on from there. */
  lookedBackTo?: Date;
}

const PAGE = 50;
const MOST_LIVE = 50;
const MOST_WORDS = 10;
/** To filter by, the latest first. */
const MOST_CONVERSATIONS = 50;

/** All that the page shows, asked for at once. */
export async function historyOverview(
  userId: string,
  query: HistoryQuery,
  { days, ...place }: { before?: string; thorough?: boolean; days: number },
) {
  const [page, live, newest, outcomes, conversations] = await Promise.all([
    historyPage(userId, query, place),
    liveRuns(userId),
    newestRun(userId),
    outcomesByDay(userId, query, days),
    listConversationNames(db(), userId, MOST_CONVERSATIONS),
  ]);
  return { page, live, newest, outcomes, conversations };
}

async function historyPage(
  userId: string,
  { text = "", ...filter }: HistoryQuery,
  { before, thorough }: { before?: string; thorough?: boolean } = {},
): Promise<HistoryPage> {
  const words = wordsOf(text, MOST_WORDS);
  // Nothing to search by, such as "=>", finds nothing rather than everything.
  if (text.trim() !== "" && words.length === 0) return { runs: [] };
  const { ids, ...rest } = await findHistoryPage(
    db(),
    userId,
    { ...filter, words },
    { size: PAGE, before, thorough },
  );
  return { runs: await listRuns(db(), userId, ids), ...rest };
}

export async function liveRuns(userId: string): Promise<RunSummary[]> {
  return listLiveRuns(db(), userId, MOST_LIVE);
}

/** The youngest that has ended. */
export async function newestRun(userId: string): Promise<string | undefined> {
  return (await findHistoryPage(db(), userId, {}, { size: 1 })).ids[0];
}

/** For good. What still runs has to be stopped first. */
export async function deleteRuns(userId: string, ids: string[]): Promise<number> {
  const deleted = await deleteRows(db(), userId, ids);
  if (deleted.length === 0)
    throw new AppError("not_found", "There is nothing to delete: unknown, or still running.");
  await sweepThese(deleted.flatMap(({ blob }) => blob ?? []));
  return deleted.length;
}
