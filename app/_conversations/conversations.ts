"use client";

// The conversations of the sidebar: one list for the whole page, whoever shows or changes it.
import { useSyncExternalStore } from "react";
import { ask } from "#app/_http/ask.ts";

export interface Summary {
  id: string;
  title: string;
  updatedAt: string;
  running: boolean;
  snippet?: string;
}

export interface Listing {
  conversations: Summary[];
  next: string | null;
}

interface State {
  /** Undefined until they are known. */
  items: Summary[] | undefined;
  next: string | null;
  problem: string | undefined;
  /** Just deleted, and can still be brought back. */
  deleted: Summary | undefined;
}

const NOTHING: State = { items: undefined, next: null, problem: undefined, deleted: undefined };

let state = NOTHING;
const listeners = new Set<() => void>();

export const conversations = {
  state: () => state,
  stateOnServer: () => NOTHING,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  async refresh(): Promise<void> {
    await telling(async () => {
      const { conversations: fresh, next } = await listConversations({});
      // What was loaded further down stays there.
      const ids = new Set(fresh.map(({ id }) => id));
      const older = next
        ? (state.items ?? []).filter((each) => !ids.has(each.id) && isOlder(each, fresh))
        : [];
      set({ items: [...fresh, ...older], next: older.length > 0 ? state.next : next });
    });
  },

  async more(): Promise<void> {
    await telling(async () => {
      const { conversations: older, next } = await listConversations({ cursor: state.next });
      const ids = new Set(state.items?.map(({ id }) => id));
      set({ items: [...(state.items ?? []), ...older.filter(({ id }) => !ids.has(id))], next });
    });
  },

  async rename(id: string, title: string): Promise<void> {
    const before = state.items?.find((each) => each.id === id)?.title;
    const show = (shown: string) =>
      set({ items: state.items?.map((each) => (each.id === id ? { ...each, title: shown } : each)) });
    show(title);
    await telling(() =>
      ask(`/api/conversations/${id}`, { method: "PATCH", body: { title } }).catch((error) => {
        if (before !== undefined) show(before);
        throw error;
      }),
    );
  },

  async remove(summary: Summary): Promise<void> {
    await telling(async () => {
      await ask(`/api/conversations/${summary.id}`, { method: "DELETE" });
      set({ items: state.items?.filter(({ id }) => id !== summary.id), deleted: summary });
    });
  },

  async restore(): Promise<void> {
    const { deleted } = state;
    if (!deleted) return;
    set({ deleted: undefined });
    await telling(() => ask(`/api/conversations/${deleted.id}/restore`, { method: "POST", body: {} }));
    await conversations.refresh();
  },

  forgetDeleted(): void {
    set({ deleted: undefined });
  },
};

export function useConversations() {
  return useSyncExternalStore(conversations.subscribe, conversations.state, conversations.stateOnServer);
}

export function listConversations(
  { q, cursor }: { q?: string; cursor?: string | null },
  signal?: AbortSignal,
): Promise<Listing> {
  const query = new URLSearchParams({ ...(q && { q }), ...(cursor && { cursor }) });
  return ask<Listing>(`/api/conversations?${query}`, { signal });
}

function isOlder({ updatedAt }: Summary, fresh: Summary[]): boolean {
  return updatedAt < (fresh.at(-1)?.updatedAt ?? "");
}

async function telling(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    if (state.problem) set({ problem: undefined });
  } catch (error) {
    set({ problem: (error as Error).message });
  }
}

function set(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}
