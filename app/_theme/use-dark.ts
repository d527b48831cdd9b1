"use client";

import { useSyncExternalStore } from "react";

/** Whether the page is dark at the moment: by the person's choice, or the system's. */
export function useDark(): boolean {
  return useSyncExternalStore(watch, isDark, () => false);
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : system().matches;
}

function watch(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const preference = system();
  preference.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    preference.removeEventListener("change", onChange);
  };
}

function system(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}
