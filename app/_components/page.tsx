import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** A page of the application: its title on top, its content below. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-[calc(100dvh-3rem)] flex-col md:min-h-dvh">
      <header className="flex min-h-12 items-center justify-between gap-4 border-b px-4 md:px-6">
        <h1 className="font-semibold text-[15px]">{title}</h1>
        {actions}
      </header>
      <div className="flex flex-1 flex-col px-4 py-6 md:px-6">{children}</div>
    </div>
  );
}

/** What a page will be for, while there is nothing on it yet. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="m-auto grid max-w-md justify-items-center gap-3 py-12 text-center">
      <span className="grid size-11 place-items-center rounded-xl border bg-surface text-accent shadow-xs">
        <Icon className="size-5" aria-hidden />
      </span>
      <h2 className="font-semibold text-lg tracking-tight">{title}</h2>
      <div className="text-balance text-muted text-sm leading-relaxed">{children}</div>
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** One subject of a settings page: what it is about, then its controls. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-0.5">
          <h2 className="font-semibold tracking-tight">{title}</h2>
          {about && <p className="text-muted text-sm">{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
