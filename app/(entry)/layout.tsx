import Link from "next/link";
import type { ReactNode } from "react";
import { Logo } from "#app/_components/logo.tsx";

/** The frame of signing in and signing up. */
export default function EntryLayout({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-sunken px-4 py-10">
      <div className="w-full max-w-sm">
        <Link
          href="/"
          className="mx-auto mb-6 flex w-fit items-center gap-2 rounded-md font-semibold text-lg"
        >
          <Logo /> Cove
        </Link>
        <div className="rounded-xl border bg-surface p-6 shadow-xs [&_[type=submit]]:w-full">{children}</div>
      </div>
    </main>
  );
}
