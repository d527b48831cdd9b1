import type { ReactNode } from "react";

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
