"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether React has taken over the page. What is clicked before that is lost, so it had better be disabled. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
