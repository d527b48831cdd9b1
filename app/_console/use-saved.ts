"use client";

import { useEffect, useRef, useState } from "react";
import { ask, Refused } from "./api.ts";
import type { Content } from "./document.ts";

export type Saving =
  | { is: "saved" | "saving" }
  | { is: "unsaved"; problem: string }
  /** Another page saved a version of its own. Nothing is saved here until somebody decides. */
  | { is: "conflict" };

const AFTER_MS = 500;
const RETRY_MS = 4000;

/** Saves what is typed, a moment after it was, over the version it came from and no other. */
export function useSaved(id: string, firstVersion: number, content: Content) {
  const [saving, setSaving] = useState<Saving>({ is: "saved" });
  const version = useRef(firstVersion);
  const saved = useRef(content);
  const latest = useRef(content);
  latest.current = content;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const state = useRef<"idle" | "busy" | "stopped">("idle");

  const later = (ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(save, ms);
  };

  async function save(): Promise<void> {
    if (state.current !== "idle" || saved.current === latest.current) return;
    state.current = "busy";
    const sent = latest.current;
    setSaving({ is: "saving" });
    try {
      const response = await ask(`/${id}`, { method: "PUT", body: { ...sent, version: version.current } });
      version.current = (await response.json()).version;
      saved.current = sent;
      state.current = "idle";
      if (latest.current === sent) setSaving({ is: "saved" });
      else later(AFTER_MS);
    } catch (error) {
      if (error instanceof Refused && error.code === "conflict") {
        state.current = "stopped";
        return setSaving({ is: "conflict" });
      }
      state.current = "idle";
      setSaving({ is: "unsaved", problem: error instanceof Error ? error.message : "" });
      later(RETRY_MS);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the content that has to be saved.
  useEffect(() => {
    if (content !== saved.current) later(AFTER_MS);
  }, [content]);

  useEffect(() => {
    // Whoever leaves in the middle of a word keeps it.
    const leave = () => {
      if (state.current !== "idle" || saved.current === latest.current) return;
      const body = JSON.stringify({ ...latest.current, version: version.current });
      const headers = { "content-type": "application/json" };
      void fetch(`/api/console/${id}`, { method: "PUT", body, headers, keepalive: true }).catch(
        () => undefined,
      );
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      clearTimeout(timer.current);
      leave();
    };
  }, [id]);

  /** What is shown now is what the server has under this version. */
  function settle(now: Content, at: number): void {
    version.current = at;
    saved.current = now;
    latest.current = now;
    state.current = "idle";
    setSaving({ is: "saved" });
  }

  return { saving, saveNow: () => void save(), settle };
}
