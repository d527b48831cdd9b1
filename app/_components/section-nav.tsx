"use client";

import clsx from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";

/** The parts of a large page: a column beside it, a row above it on a phone. */
export function SectionNav({
  label,
  sections,
}: {
  label: string;
  sections: readonly { href: string; label: string }[];
}) {
  const path = usePathname();
  return (
    <nav
      aria-label={label}
      className="flex gap-1 overflow-x-auto max-md:-mx-1 max-md:px-1 md:grid md:content-start"
    >
      {sections.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? "page" : undefined}
          className={clsx(
            "flex h-8 items-center whitespace-nowrap rounded-md px-2.5 text-sm",
            path === href ? "bg-hover font-medium" : "text-muted hover:bg-hover hover:text-ink",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
