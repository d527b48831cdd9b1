"use client";

import clsx from "clsx";
import { formatBytes } from "#app/_components/format-bytes.ts";
import type { Use } from "#lib/own-sandbox/glance.ts";
import { percent, STATES, shareOf } from "./meters.tsx";
import { useSandbox } from "./sandbox-provider.tsx";

interface Figure {
  name: string;
  /** Of what there is, from 0 to 1. */
  share: number | undefined;
  text: string;
}

/** The sandbox at a glance, in the header of every page; opens its panel. */
export function SandboxButton({ compact = false }: { compact?: boolean }) {
  const { view, problem, cpu, open } = useSandbox();
  const { label, dot } = problem
    ? { label: "Out of reach", dot: "bg-danger" }
    : view
      ? STATES[view.state]
      : { label: "Looking…", dot: "bg-line-strong" };
  const figures: Figure[] = [
    { name: "CPU", share: cpu, text: percent(cpu) },
    { name: "Memory", share: shareOf(view?.memory), text: usedText(view?.memory) },
    { name: "Disk", share: shareOf(view?.disk), text: usedText(view?.disk) },
  ];
  const Look = compact ? Line : Card;
  return (
    <button
      type="button"
      onClick={open}
      aria-label={`Sandbox: ${[label, ...figures.map(({ name, text }) => `${name} ${text}`)].join(", ")}`}
      className={
        compact
          ? "ml-auto flex h-10 min-w-0 items-center gap-3 rounded-md px-2 text-left hover:bg-hover"
          : "grid w-full gap-2 rounded-lg border bg-surface px-2.5 py-2 text-left hover:border-line-strong"
      }
    >
      <Look label={label} dot={dot} figures={figures} />
    </button>
  );
}

function Card({ label, dot, figures }: { label: string; dot: string; figures: Figure[] }) {
  return (
    <>
      <span className="flex items-center gap-2 text-[13px]">
        <Dot className={dot} />
        <span className="font-medium">Sandbox</span>
        <span className="ml-auto truncate text-muted text-xs">{label}</span>
      </span>
      <span className="grid grid-cols-3 gap-2">
        {figures.map(({ name, share, text }) => (
          <span key={name} className="grid min-w-0 gap-1">
            <span className="truncate text-[11px] text-muted leading-none">{name}</span>
            <span className="h-1 overflow-hidden rounded-full bg-hover" aria-hidden>
              <span
                className={clsx("block h-full rounded-full", isFull(share) ? "bg-danger" : "bg-accent")}
                style={{ width: `${Math.round((share ?? 0) * 100)}%` }}
              />
            </span>
            <Value share={share} text={text} />
          </span>
        ))}
      </span>
    </>
  );
}

function Line({ label, dot, figures }: { label: string; dot: string; figures: Figure[] }) {
  return (
    <>
      <span className="grid min-w-0 gap-1">
        <span className="truncate text-[10px] text-muted leading-none">Sandbox</span>
        <span className="flex min-w-0 items-center gap-1 text-[11px] leading-none">
          <Dot className={dot} />
          <span className="truncate">{label}</span>
        </span>
      </span>
      {figures.map(({ name, share, text }) => (
        <span key={name} className="grid shrink-0 gap-1">
          <span className="text-[10px] text-muted leading-none">{name}</span>
          <Value share={share} text={text} />
        </span>
      ))}
    </>
  );
}

function Dot({ className }: { className: string }) {
  return <span className={clsx("size-2 shrink-0 rounded-full", className)} aria-hidden />;
}

function Value({ share, text }: Omit<Figure, "name">) {
  return (
    <span className={clsx("truncate text-[11px] tabular-nums leading-none", isFull(share) && "text-danger")}>
      {text}
    </span>
  );
}

function isFull(share: number | undefined): boolean {
  return (share ?? 0) > 0.9;
}

function usedText(use: Use | undefined): string {
  return use && use.used !== null ? formatBytes(use.used) : "–";
}
