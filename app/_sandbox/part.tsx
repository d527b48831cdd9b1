import { type ReactNode, useId } from "react";

/** One part of the panel: a heading and what is below it. */
export function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h3 id={id} className="font-medium text-sm">
          {title}
        </h3>
        {note && <span className="text-muted text-xs">{note}</span>}
      </div>
      {children}
    </section>
  );
}

export function Nothing({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-dashed px-3 py-2.5 text-muted text-xs">{children}</p>;
}
