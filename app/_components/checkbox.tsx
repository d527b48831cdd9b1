"use client";

import { type ComponentProps, useId } from "react";

export function Checkbox({
  label,
  hint,
  ...input
}: { label: string; hint?: string } & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className="grid grid-cols-[auto_1fr] items-start gap-x-2.5 gap-y-0.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-note` : undefined}
        className="mt-0.5 size-4 accent-accent"
        {...input}
      />
      <label htmlFor={id} className="font-medium text-[13px]">
        {label}
      </label>
      {hint && (
        <p id={`${id}-note`} className="col-start-2 text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
