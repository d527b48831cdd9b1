import { Plug } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "#app/_components/button.tsx";

/** Says plainly that no model is connected, how to connect one, and what works without. */
export function NoModel({ reason }: { reason?: string }) {
  return (
    <aside
      aria-label="No model connected"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-dashed bg-surface px-4 py-3 text-sm"
    >
      <Plug className="size-4 shrink-0 text-accent max-sm:hidden" aria-hidden />
      <p className="min-w-56 flex-1">
        <span className="font-medium">{isProblem(reason) ? reason : "No model is connected yet."}</span>{" "}
        <span className="text-muted">
          You can still run code here: start with <Key>!</Key> for Bash or <Key>{">>>"}</Key> for Python.
        </span>
      </p>
      <Link href="/settings/models" className={buttonClass({ size: "small" })}>
        Connect a model
      </Link>
    </aside>
  );
}

/** A provider that doesn't answer is worth its own words; the plain absence of one is said better here. */
function isProblem(reason: string | undefined): reason is string {
  return reason !== undefined && !reason.startsWith("No model is connected");
}

/** The same in one line, under a conversation. */
export function NoModelLine() {
  return (
    <p className="text-center text-muted text-xs">
      No model is connected: <Key>!</Key> runs Bash, <Key>{">>>"}</Key> runs Python.{" "}
      <Link href="/settings/models" className="text-accent underline underline-offset-2">
        Connect a model
      </Link>
    </p>
  );
}

function Key({ children }: { children: string }) {
  return <code className="rounded border bg-sunken px-1 font-mono text-ink text-xs">{children}</code>;
}
