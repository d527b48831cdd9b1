"use client";

import clsx from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";

const SECTIONS = [
  { href: "/settings", label: "Profile" },
  { href: "/settings/security", label: "Security" },
  { href: "/settings/tokens", label: "API tokens" },
  { href: "/settings/connect", label: "Connect" },
  { href: "/settings/models", label: "Models" },
];

export function SettingsNav() {
  const path = usePathname();
  return (
    <nav
      aria-label="Settings"
      className="flex gap-1 overflow-x-auto max-md:-mx-1 max-md:px-1 md:grid md:content-start"
    >
      {SECTIONS.map(({ href, label }) => (
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
