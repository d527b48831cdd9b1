"use client";

import clsx from "clsx";
import {
  FileClock,
  Folder,
  GalleryVerticalEnd,
  type LucideIcon,
  MessageSquare,
  Settings,
  Sparkles,
  SquareTerminal,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";

/** Where one can go, in the order of the sidebar. */
const PLACES: { href: string; label: string; icon: LucideIcon }[] = [
  { href: "/chat", label: "Chat", icon: MessageSquare },
  { href: "/console", label: "Console", icon: SquareTerminal },
  { href: "/artifacts", label: "Artifacts", icon: GalleryVerticalEnd },
  { href: "/files", label: "Files", icon: Folder },
  { href: "/history", label: "History", icon: FileClock },
  { href: "/skills", label: "Skills", icon: Sparkles },
  { href: "/settings", label: "Settings", icon: Settings },
];

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
