"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { ask, Refusal } from "#app/_http/ask.ts";
import type { TextFile } from "#lib/files/edit-text.ts";
import { textAddress } from "./addresses.ts";
import type { Beat } from "./use-pulse.ts";

interface Draft {
  text: string;
  /** What the workspace has, as far as we know. */
  saved: string;
  /** Of what it has; null would be a file that isn't there. */
  hash: string | null;
  endings: "\n" | "\r\n";
}

/** Unsaved changes, kept while the page lives, so that a look at another file loses nothing. */
const drafts = new Map<string, Draft>();

export interface OpenText {
  /** Missing until it is loaded. */
  draft?: Draft;
  isDirty: boolean;
  isSaving: boolean;
  /** Why it can't be opened or saved. */
  problem?: Refusal;
  /** It was changed or deleted in the workspace while there are unsaved changes here. */
  conflict?: "changed" | "gone";
  edit: (text: string) => void;
  save: (how?: "overwrite") => Promise<void>;
  /** Takes what the workspace has and gives the unsaved changes up. */
  reload: () => void;
}

/** A text file of the workspace and the unsaved changes to it, which outlive a look at another file. */
export function useTextFile(path: string, beat: Beat, onSaved: () => void): OpenText {
  const [draft, setDraft] = useState<Draft | undefined>(() => drafts.get(path));
  const [problem, setProblem] = useState<Refusal>();
  const [conflict, setConflict] = useState<"changed" | "gone">();
  const [isSaving, setSaving] = useState(false);
  const latest = useRef(draft);
  const theirs = useRef<TextFile>(undefined);

  const keep = useCallback(
    (next: Draft) => {
      latest.current = next;
      if (next.text === next.saved) drafts.delete(path);
      else drafts.set(path, next);
      setDraft(next);
    },
    [path],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a beat is the reason to look again.
  useEffect(() => {
    const stopped = new AbortController();
    ask<TextFile>(textAddress(path), { signal: stopped.signal }).then(
      (file) => {
        const mine = latest.current;
        theirs.current = file;
        setProblem(undefined);
        if (file.hash === mine?.hash) setConflict(undefined);
        else if (mine && mine.text !== mine.saved) setConflict("changed");
        else keep(draftOf(file));
      },
      (error) => {
        if (stopped.signal.aborted) return;
        if (error instanceof Refusal && error.code === "not_found" && latest.current) setConflict("gone");
        else if (!latest.current) setProblem(error);
      },
    );
    return () => stopped.abort();
  }, [path, beat, keep]);

  const save = useCallback(
    async (how?: "overwrite") => {
      const mine = latest.current;
      if (!mine) return;
      setSaving(true);
      setProblem(undefined);
      try {
        const text = mine.endings === "\r\n" ? mine.text.replaceAll("\n", "\r\n") : mine.text;
        const seen = how === "overwrite" ? await hashNow(path) : mine.hash;
        const body = { path, text, seen };
        const { hash } = await ask<{ hash: string }>("/api/files/text", { method: "PUT", body });
        // More may have been typed meanwhile.
        keep({ ...(latest.current ?? mine), saved: mine.text, hash });
        setConflict(undefined);
        onSaved();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const clash = conflictIn(error);
        if (clash) setConflict(clash);
        else setProblem(error);
      } finally {
        setSaving(false);
      }
    },
    [path, keep, onSaved],
  );

  return {
    ...(draft && { draft }),
    isDirty: draft !== undefined && draft.text !== draft.saved,
    isSaving,
    ...(problem && { problem }),
    ...(conflict && { conflict }),
    edit: (text) => latest.current && keep({ ...latest.current, text }),
    save,
    reload: () => {
      if (theirs.current) keep(draftOf(theirs.current));
      setConflict(undefined);
    },
  };
}

/** Whether a save was refused because the workspace has moved on; the person decides what stays. */
export function conflictIn({ code, details: { reason } }: Refusal): OpenText["conflict"] {
  if (code !== "conflict") return undefined;
  return reason === "changed" || reason === "gone" ? reason : undefined;
}

function draftOf({ text, hash }: TextFile): Draft {
  const endings = endingsOf(text);
  const lines = endings === "\r\n" ? text.replaceAll("\r\n", "\n") : text;
  return { text: lines, saved: lines, hash, endings };
}

async function hashNow(path: string): Promise<string | null> {
  try {
    return (await ask<TextFile>(textAddress(path))).hash;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") return null;
    throw error;
  }
}

/** An editor knows lines and not how they end; a file from Windows gets its endings back when it is saved. */
export function endingsOf(text: string): Draft["endings"] {
  return text.includes("\r\n") && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n";
}
