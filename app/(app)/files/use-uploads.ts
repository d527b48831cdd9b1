"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { Refusal } from "#app/_http/ask.ts";
import { sendFile } from "#app/_http/send-file.ts";
import { joinPath, nameOf, parentOf } from "#lib/files/workspace-path.ts";
import { contentAddress, uploadAddress } from "./addresses.ts";
import type { Dropped } from "./dropped-files.ts";

export interface Upload {
  id: number;
  path: string;
  file: File;
  replace: boolean;
  state: "waiting" | "sending" | "done" | "exists" | "failed" | "cancelled";
  sentBytes: number;
  problem?: string;
}

export interface Uploads {
  uploads: Upload[];
  /** What of a drop could not be taken. */
  missed: string[];
  add: (folder: string, dropped: Dropped) => void;
  cancel: (id: number) => void;
  /** For one that met a file of its name. */
  settle: (id: number, how: "replace" | "keep both") => void;
  clear: () => void;
}

const LARGE = 4 * 2 ** 20;

/** A line of uploads, one after the other: the sandbox writes no faster for several at once. */
export function useUploads(freeBytes: number | undefined, onDone: () => void): Uploads {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [missed, setMissed] = useState<string[]>([]);
  const running = useRef<{ id: number; stop: AbortController }>(undefined);
  const ids = useRef(0);

  const change = useCallback((id: number, changes: Partial<Upload>) => {
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  }, []);

  useEffect(() => {
    const next = uploads.find(({ state }) => state === "waiting");
    if (!next || running.current) return;
    const stop = new AbortController();
    running.current = { id: next.id, stop };
    change(next.id, { state: "sending", sentBytes: 0 });
    send(next, stop.signal, (sentBytes) => change(next.id, { sentBytes }))
      .then(
        () => change(next.id, { state: "done" }),
        (error) => change(next.id, outcomeOf(error)),
      )
      .finally(() => {
        running.current = undefined;
        onDone();
        // A new list makes the effect look for the next one.
        setUploads((all) => [...all]);
      });
  }, [uploads, change, onDone]);

  const add: Uploads["add"] = (folder, { files, missed: left }) => {
    setMissed((all) => [...all, ...left]);
    let room = freeBytes ?? Number.POSITIVE_INFINITY;
    const added = files.map(({ name, file }): Upload => {
      ids.current += 1;
      room -= file.size;
      const base = { id: ids.current, path: joinPath(folder, name), file, replace: false, sentBytes: 0 };
      return room >= 0
        ? { ...base, state: "waiting" }
        : {
            ...base,
            state: "failed",
            problem: "There is not enough room left in the workspace for this file.",
          };
    });
    setUploads((all) => [...all, ...added]);
  };

  const cancel: Uploads["cancel"] = (id) => {
    if (running.current?.id === id) running.current.stop.abort();
    else change(id, { state: "cancelled" });
  };

  const settle: Uploads["settle"] = (id, how) => {
    const upload = uploads.find((one) => one.id === id);
    if (!upload) return;
    const path = how === "replace" ? upload.path : numbered(upload.path);
    change(id, { state: "waiting", path, replace: how === "replace" });
  };

  const clear = () => {
    setMissed([]);
    setUploads((all) => all.filter(({ state }) => state === "sending" || state === "waiting"));
  };
  return { uploads, missed, add, cancel, settle, clear };
}

/** What became of one that was not sent. */
export function outcomeOf(error: unknown): Pick<Upload, "state" | "problem"> {
  if (!(error instanceof Refusal)) return { state: "failed", problem: String(error) };
  if (error.code === "cancelled") return { state: "cancelled" };
  if (error.code === "conflict" && error.details.reason === "exists") return { state: "exists" };
  return { state: "failed", problem: error.message };
}

/** A server that is asked too often says when to come back. */
async function send(upload: Upload, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<void> {
  const address = uploadAddress(upload.path, upload.replace);
  if (!upload.replace && upload.file.size > LARGE && (await isThere(upload.path, signal))) {
    throw new Refusal(409, "conflict", "Something of that name is there already.", {
      details: { reason: "exists" },
    });
  }
  for (;;) {
    try {
      return await sendFile(address, upload.file, { method: "PUT", signal, onProgress });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 429 || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfterSeconds) * 1000));
    }
  }
}

// What asking for the first byte of a file says if there is one: here it is, it is empty, or too large to be given.
const THERE = new Set([200, 206, 416, 413]);

/** Asked before much is sent in vain. Where there is no clear answer, the upload itself brings one. */
async function isThere(path: string, signal: AbortSignal): Promise<boolean> {
  const headers = { range: "bytes=0-0" };
  const answer = await fetch(contentAddress(path), { headers, signal }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer !== undefined && THERE.has(answer.status);
}

function numbered(path: string): string {
  const name = nameOf(path);
  const [, stem = name, number, extension = ""] = /^(.*?)(?: \((\d+)\))?(\.[^.]*)?$/s.exec(name) ?? [];
  return joinPath(parentOf(path), `${stem} (${Number(number ?? 1) + 1})${extension}`);
}
