"use client";

import clsx from "clsx";
import { Container } from "lucide-react";
import { formatBytes } from "#app/_components/format-bytes.ts";
import type { Use } from "#lib/sandboxes/glance.ts";
import { useSandbox } from "./sandbox-provider.tsx";
import { shareOf } from "./share-of.ts";
import { percent, STATES } from "./states.ts";

/** The sandbox at a glance; opens its panel. */
export function SandboxButton({ compact = false }: { compact?: boolean }) {
  const { view, problem, cpu, open } = useSandbox();
  const state = view && STATES[view.state];
  const label = `Sandbox: ${problem ? "out of reach" : (state?.label ?? "loading")}`;
  if (compact) {
    return (
      <button
        type="button"
        onClick={open}
        aria-label={label}
        className="ml-auto flex h-9 items-center gap-2 rounded-md px-2.5 text-muted text-xs hover:bg-hover"
      >
        <Dot className={problem ? "bg-danger" : (state?.dot ?? "bg-line-strong")} />
        {view?.state === "active" ? (
          <span className="tabular-nums">{percent(cpu)}</span>
        ) : (
          (state?.label ?? "…")
        )}
        <Container className="size-4" aria-hidden />
      </button>
    );
  }
  return (
    <button
      type="button"
      onClick={open}
      aria-label={label}
      className="mb-2 grid gap-2 rounded-lg border bg-surface px-2.5 py-2 text-left hover:border-line-strong"
    >
      <span className="flex items-center gap-2 text-[13px]">
        <Dot className={problem ? "bg-danger" : (state?.dot ?? "bg-line-strong")} />
        <span className="font-medium">Sandbox</span>
        <span className="ml-auto truncate text-muted text-xs">
          {problem ? "Out of reach" : (state?.label ?? "…")}
        </span>
      </span>
      <span className="grid grid-cols-3 gap-2" aria-hidden>
        <Small name="CPU" share={cpu} text={percent(cpu)} />
        <Small name="Memory" share={shareOf(view?.memory)} text={usedText(view?.memory)} />
        <Small name="Disk" share={shareOf(view?.disk)} text={usedText(view?.disk)} />
      </span>
    </button>
  );
}

function Dot({ className }: { className: string }) {
  return <span className={clsx("size-2 shrink-0 rounded-full", className)} aria-hidden />;
}

function Small({ name, share, text }: { name: string; share: number | undefined; text: string }) {
  return (
    <span className="grid min-w-0 gap-1">
      <span className="truncate text-[11px] text-muted leading-none">{name}</span>
      <span className="h-1 overflow-hidden rounded-full bg-hover">
        <span
          className={clsx("block h-full rounded-full", (share ?? 0) > 0.9 ? "bg-danger" : "bg-accent")}
          style={{ width: `${Math.round((share ?? 0) * 100)}%` }}
        />
      </span>
      <span className="truncate text-[11px] tabular-nums leading-none">{text}</span>
    </span>
  );
}

function usedText(use: Use | undefined): string {
  return use && use.used !== null ? formatBytes(use.used) : "–";
}
