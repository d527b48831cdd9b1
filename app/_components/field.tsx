"use client";

import clsx from "clsx";
import { type ComponentProps, useId } from "react";
import { useFormProblem } from "#app/_forms/form.tsx";

interface Described {
  label: string;
  hint?: string;
}

const CONTROL =
  "h-9 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm aria-invalid:border-danger";

export function Field({ label, hint, className, ...input }: Described & ComponentProps<"input">) {
  const { id, problem, describedBy } = useDescription(input.name, hint);
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <input
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy}
        className={clsx(CONTROL, className)}
        {...input}
      />
    </Frame>
  );
}

export function Select({ label, hint, className, ...select }: Described & ComponentProps<"select">) {
  const { id, problem, describedBy } = useDescription(select.name, hint);
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <select
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy}
        className={clsx(CONTROL, className)}
        {...select}
      />
    </Frame>
  );
}

function useDescription(name: string | undefined, hint: string | undefined) {
  const id = useId();
  const problem = useFormProblem(name);
  return { id, problem, describedBy: problem || hint ? `${id}-note` : undefined };
}

function Frame({
  id,
  label,
  hint,
  problem,
  children,
}: Described & { id: string; problem?: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium text-[13px]">
        {label}
      </label>
      {children}
      {(problem || hint) && (
        <p id={`${id}-note`} className={clsx("text-[13px]", problem ? "text-danger" : "text-muted")}>
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}

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
