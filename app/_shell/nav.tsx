"use client";

import clsx from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { PLACES } from "./places.ts";

export function Nav({ onNavigate }: { onNavigate?: () => void }) {
  const path = usePathname();
  return (
    <nav aria-label="Main" className="grid gap-px">
      {PLACES.map(({ href, label, icon: Icon }) => {
        const here = path === href || path.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            onClick={onNavigate}
            aria-current={here ? "page" : undefined}
            className={clsx(
              "flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors max-md:h-10",
              here ? "bg-hover font-medium text-ink" : "text-muted hover:bg-hover hover:text-ink",
            )}
          >
            <Icon className={clsx("size-4", here && "text-accent")} aria-hidden />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
