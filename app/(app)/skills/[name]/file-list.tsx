import clsx from "clsx";
import { FileText } from "lucide-react";
import Link from "next/link";
import { formatBytes } from "#app/_components/format-bytes.ts";
import type { SkillFile } from "#lib/skills/skill-folder.ts";

const MOST_SHOWN = 100;

/** What belongs to a skill besides its instructions. */
export function FileList({
  name,
  main,
  files,
  shown,
}: {
  name: string;
  main: string;
  files: SkillFile[];
  shown: string | undefined;
}) {
  if (files.length < 2) return null;
  const address = `/skills/${encodeURIComponent(name)}`;
  return (
    <nav aria-label="Files of this skill" className="flex flex-wrap gap-1.5">
      {files.slice(0, MOST_SHOWN).map(({ path, size, regular }) => {
        const current = path === (shown ?? main);
        if (!regular) return null;
        return (
          <Link
            key={path}
            href={path === main ? address : `${address}?file=${encodeURIComponent(path)}`}
            aria-current={current ? "page" : undefined}
            className={clsx(
              "flex items-center gap-1.5 rounded-md border px-2 py-1 font-mono text-xs",
              current ? "border-accent bg-accent-soft text-accent" : "bg-surface text-muted hover:text-ink",
            )}
          >
            <FileText className="size-3.5" aria-hidden /> {path}
            <span>{formatBytes(size)}</span>
          </Link>
        );
      })}
    </nav>
  );
}
