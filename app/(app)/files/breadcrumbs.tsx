"use client";

import { ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { displayName } from "#lib/files/workspace-path.ts";
import { FolderLink } from "./place.tsx";

/** The way from the workspace down to here. On a narrow screen its beginning scrolls out of sight first. */
export function Breadcrumbs({ folder, file }: { folder: string; file?: string }) {
  const end = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is the reason to scroll.
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest", inline: "end" });
  }, [folder, file]);
  const parts = folder ? folder.split("/") : [];
  const crumbs = [
    { name: "workspace", path: "" },
    ...parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join("/") })),
  ];
  return (
    <nav aria-label="Path" className="min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]">
      <ol className="flex w-max items-center text-[13px]">
        {crumbs.map(({ name, path }, index) => {
          const last = index === crumbs.length - 1 && !file;
          return (
            <li key={path} ref={last ? end : undefined} className="flex items-center">
              {index > 0 && <ChevronRight className="size-3.5 text-muted" aria-hidden />}
              <FolderLink
                folder={path}
                aria-current={last ? "page" : undefined}
                className="max-w-48 truncate rounded px-1.5 py-1 text-muted hover:bg-hover hover:text-ink aria-[current]:font-medium aria-[current]:text-ink"
              >
                {displayName(name)}
              </FolderLink>
            </li>
          );
        })}
        {file && (
          <li ref={end} className="flex items-center">
            <ChevronRight className="size-3.5 text-muted" aria-hidden />
            <span aria-current="page" className="max-w-64 truncate px-1.5 font-medium">
              {displayName(file)}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}
