"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { usePoll } from "#app/_http/queries.tsx";
import type { SandboxView } from "#lib/own-sandbox/glance.ts";
import { SandboxSheet } from "./sandbox-sheet.tsx";

const EVERY_MS = 5_000;
const SOON_MS = 1_000;

interface Glance {
  view: SandboxView | undefined;
  problem: string | undefined;
  /** Of what the sandbox may use, from 0 to 1; unknown until it was looked at twice. */
  cpu: number | undefined;
  open: () => void;
}

const Context = createContext<Glance>({ view: undefined, problem: undefined, cpu: undefined, open() {} });

/** Looks at the sandbox once for all who show it, and holds the panel they open. */
export function SandboxProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const { data: view, problem, refresh } = usePoll<SandboxView>("/api/sandbox", EVERY_MS);
  const cpu = useCpu(view);
  const isUnknown = view?.state === "active" && cpu === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one look more, when the first has come.
  useEffect(() => {
    if (!isUnknown) return;
    const timer = setTimeout(refresh, SOON_MS);
    return () => clearTimeout(timer);
  }, [isUnknown]);
  return (
    <Context value={{ view, problem, cpu, open: () => setOpen(true) }}>
      {children}
      <SandboxSheet open={open} onOpenChange={setOpen} cpu={cpu} onChange={refresh} />
    </Context>
  );
}

export function useSandbox(): Glance {
  return useContext(Context);
}

/** How busy it was between the last two looks. */
export function useCpu(view: Pick<SandboxView, "at" | "cpuMs" | "cpus"> | undefined): number | undefined {
  const seen = useRef<{ at: number; cpuMs: number; share?: number }>(undefined);
  if (!view || view.cpuMs === null) {
    seen.current = undefined;
    return undefined;
  }
  const before = seen.current;
  if (before?.at === view.at) return before.share;
  const used = before ? view.cpuMs - before.cpuMs : -1;
  const share =
    before && used >= 0 ? Math.min(1, used / Math.max(1, view.at - before.at) / view.cpus) : undefined;
  seen.current = { at: view.at, cpuMs: view.cpuMs, share };
  return share;
}
