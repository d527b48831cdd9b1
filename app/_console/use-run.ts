"use client";

import { createContext, useContext, useSyncExternalStore } from "react";
import type { Run } from "./run.ts";
import { Runs } from "./runs.ts";

export const RunsContext = createContext<Runs>(new Runs());

export function useRun(cellId: string): Run | undefined {
  const runs = useContext(RunsContext);
  return useSyncExternalStore(
    (listener) => runs.subscribe(cellId, listener),
    () => runs.get(cellId),
    () => undefined,
  );
}

/** The ids of the cells that run now. */
export function useLive(runs: Runs): readonly string[] {
  return useSyncExternalStore(
    (listener) => runs.subscribe("", listener),
    () => runs.live,
    () => runs.live,
  );
}
