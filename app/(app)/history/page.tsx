import { FileClock, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";
import { EmptyState, Page } from "#app/_components/page.tsx";
import type { SearchParams } from "#app/_filters/search-params.ts";
import { requirePageUser } from "#app/_http/guards.ts";
import { historyOverview } from "#lib/history/history.ts";
import { DayChart } from "./day-chart.tsx";
import { Filters } from "./filters.tsx";
import { LiveRuns } from "./live-runs.tsx";
import { Pager } from "./pager.tsx";
import { readQuery, withParams } from "./read-query.ts";
import { RunList } from "./run-list.tsx";
import { toItem } from "./tool-labels.ts";

export const metadata: Metadata = { title: "History" };

export default async function HistoryPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { id } = await requirePageUser();
  const params = await searchParams;
  const { query, before, thorough, filtered, day } = readQuery(params);
  const { page, live, newest, outcomes, conversations } = await historyOverview(id, query, {
    before,
    thorough,
    days: params.time === "90d" ? 90 : 30,
  });
  // No counts are kept of what is in a conversation, or has a word in it.
  const counted = query.text === undefined && query.conversationId === undefined;
  return (
    <Page title="History">
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <LiveRuns initial={live.map(toItem)} newest={newest} />
        {newest === undefined ? (
          live.length === 0 && <NothingYet />
        ) : (
          <>
            {counted && (
              <DayChart days={outcomes} selected={day} hrefOf={(time) => withParams(params, { time })} />
            )}
            <Filters conversations={conversations} day={day} />
            {page.runs.length > 0 ? (
              <RunList runs={page.runs.map(toItem)} />
            ) : (
              !page.next && <NothingFound filtered={filtered} />
            )}
            <Pager page={page} params={params} first={before === undefined} />
          </>
        )}
      </div>
    </Page>
  );
}

function NothingYet() {
  return (
    <EmptyState icon={FileClock} title="Nothing has run yet">
      Every run will be on record here, whatever door it came through: the code, its output, how long it took
      and how it ended.
    </EmptyState>
  );
}

function NothingFound({ filtered }: { filtered: boolean }) {
  return (
    <EmptyState
      icon={SearchX}
      title={filtered ? "No run fits" : "Nothing older"}
      action={
        <Link href="/history" className={buttonClass()}>
          {filtered ? "Clear the filters" : "To the newest"}
        </Link>
      }
    >
      {filtered
        ? "Words are looked for in code and output, each as the beginning of a word."
        : "This is the end of the history."}
    </EmptyState>
  );
}
