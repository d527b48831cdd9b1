import clsx from "clsx";
import Link from "next/link";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { When } from "#app/_components/time-ago.tsx";
import type { OpenedArtifact } from "#lib/artifacts/open-artifact.ts";

/** Every version of the same path, each to be opened or compared with this one. */
export function Versions({
  artifact,
  comparable,
  comparedWith,
}: {
  artifact: OpenedArtifact;
  comparable: boolean;
  comparedWith?: string;
}) {
  if (artifact.versions.length < 2) return null;
  return (
    <section aria-labelledby="versions" className="grid gap-2">
      <h3 id="versions" className="font-medium text-sm">
        Versions
      </h3>
      <ul className="max-h-80 divide-y overflow-y-auto rounded-lg border bg-surface text-[13px]">
        {artifact.versions.map(({ id, version, size, createdAt }) => {
          const here = id === artifact.id;
          return (
            <li key={id} className={clsx("flex items-center gap-2 px-3 py-1.5", here && "bg-hover")}>
              <Link
                href={`/artifacts/${id}`}
                aria-current={here ? "page" : undefined}
                className={clsx("min-w-0 flex-1 hover:underline", here && "font-medium")}
              >
                Version {version}
                <span className="block text-muted text-xs">
                  <When at={createdAt.toISOString()} /> · {formatBytes(size)}
                </span>
              </Link>
              {comparable && !here && (
                <Link
                  href={`/artifacts/${artifact.id}?before=${id}`}
                  aria-current={id === comparedWith ? "true" : undefined}
                  className="rounded px-2 py-1 text-accent text-xs hover:bg-accent-soft aria-[current]:bg-accent-soft"
                >
                  Compare<span className="sr-only"> with version {version}</span>
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
