"use client";

import { useEffect, useRef } from "react";

/** A title being changed: Enter or leaving keeps it, Escape doesn't. */
export function TitleField({
  title,
  onDone,
}: {
  title: string;
  onDone: (title: string | undefined) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const over = useRef(false);

  // A menu that closes gives the focus back to its button first.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.select(), 0);
    return () => clearTimeout(timer);
  }, []);

  const finish = (keep: boolean) => {
    if (over.current) return;
    over.current = true;
    const changed = input.current?.value.trim();
    onDone(keep && changed && changed !== title ? changed : undefined);
  };

  return (
    <input
      ref={input}
      aria-label="Title"
      defaultValue={title}
      maxLength={200}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(true);
        if (event.key === "Escape") {
          event.preventDefault();
          finish(false);
        }
      }}
      className="h-8 w-full rounded-md border border-accent bg-surface px-2.5 text-sm outline-none max-md:h-10"
    />
  );
}
