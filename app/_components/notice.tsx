import clsx from "clsx";
import { CircleAlert, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";

/** A sentence about what just happened. Announced by screen readers when it appears. */
export function Notice({ kind, children }: { kind: "problem" | "done"; children: ReactNode }) {
  const Icon = kind === "problem" ? CircleAlert : CircleCheck;
  return (
    <div
      role={kind === "problem" ? "alert" : "status"}
      className={clsx(
        "flex items-start gap-2 rounded-md px-3 py-2 text-sm",
        kind === "problem" ? "bg-danger-soft text-danger" : "bg-accent-soft text-accent",
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>{children}</span>
    </div>
  );
}
