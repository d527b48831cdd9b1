"use client";

import { useEffect, useRef, useState } from "react";
import { ask, Refusal, send } from "#app/_http/ask.ts";
import { CONSOLES } from "./api.ts";
import type { Content } from "./document.ts";

export type Saving =
  | { is: "saved" | "saving" }
  | { is: "unsaved"; problem: string }
  /** Another page saved a version of its own. Nothing is saved here until somebody decides. */
  | { is: "conflict" };

const AFTER_MS = 500;
const RETRY_MS = 4000;
// Browsers let 64 KB go on after a page was left, headers and other requests included.
const MOST_LEFT_BEHIND = 48 * 1024;

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
      const body = { ...sent, version: version.current };
      const answer = await ask<{ version: number }>(`${CONSOLES}/${id}`, { method: "PUT", body });
      version.current = answer.version;
      saved.current = sent;
      state.current = "idle";
      if (latest.current === sent) setSaving({ is: "saved" });
      else later(AFTER_MS);
    } catch (error) {
      if (error instanceof Refusal && error.code === "conflict") {
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: everything in it looks at what is there now.
  useEffect(() => {
    // Whoever leaves in the middle of a word keeps it.
    const leave = (keepalive: boolean) => {
      if (!isUnsaved()) return;
      // What is being saved at this moment becomes the version that this one follows.
      const follows = version.current + (state.current === "busy" ? 1 : 0);
      const body = { ...latest.current, version: follows };
      void send(`${CONSOLES}/${id}`, { method: "PUT", body, keepalive }).catch(() => undefined);
    };
    const hide = () => leave(!isLarge(latest.current));
    // What is too large to go on without its page is saved while the browser asks.
    const warn = (event: BeforeUnloadEvent) => {
      if (!isUnsaved() || !isLarge(latest.current)) return;
      event.preventDefault();
      void save();
    };
    window.addEventListener("pagehide", hide);
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("pagehide", hide);
      window.removeEventListener("beforeunload", warn);
      clearTimeout(timer.current);
      leave(false);
    };
  }, [id]);

  function isUnsaved(): boolean {
    return state.current !== "stopped" && saved.current !== latest.current;
  }

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

function isLarge(content: Content): boolean {
  return new TextEncoder().encode(JSON.stringify(content)).length > MOST_LEFT_BEHIND;
}
