import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";
import type { SearchParams } from "#app/_filters/search-params.ts";
import type { HistoryPage } from "#lib/history/history.ts";
import { pageBefore, withParams } from "./read-query.ts";

/** Where to go from here. A page that stopped looking says how far it got. */
export function Pager({
  page: { next, lookedBackTo },
  params,
  first,
}: {
  page: HistoryPage;
  params: SearchParams;
  first: boolean;
}) {
  if (!next && first) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 text-sm">
      {first ? (
        <span />
      ) : (
        <Link href={withParams(params)} className={buttonClass({ size: "small" })}>
          Newest
        </Link>
      )}
      {lookedBackTo && (
        <p className="text-muted">
          Looked back to {lookedBackTo.toISOString().slice(0, 16).replace("T", " ")} UTC.
        </p>
      )}
      {next && (
        <Link
          href={pageBefore(params, next, lookedBackTo !== undefined)}
          className={buttonClass({ size: "small" })}
        >
          {lookedBackTo ? "Look further back" : "Older"}
        </Link>
      )}
    </nav>
  );
}
