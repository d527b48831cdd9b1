// The runs of a console's cells. Kept outside of React's state, so that output redraws one cell and not the page.
import { ask, Refusal, send } from "#app/_http/ask.ts";
import { CONSOLES } from "./api.ts";
import type { Cell } from "./document.ts";
import { readEvents } from "./read-events.ts";
import { afterEvent, isLive, NEW_RUN, type Run } from "./run.ts";

// Often enough to look live, seldom enough for a program that prints all the time.
const REDRAW_MS = 40;
const MOST_TRIES = 20;
// A browser has six connections, and saving and stopping need some of them.
const MOST_AT_ONCE = 3;
const inQueue = queue(MOST_AT_ONCE);

export class Runs {
  #runs = new Map<string, Run>();
  #listeners = new Map<string, Set<() => void>>();
  #live = new Set<string>();
  #redraw = new Map<string, ReturnType<typeof setTimeout>>();

  get(cellId: string): Run | undefined {
    return this.#runs.get(cellId);
  }

  /** Cells that run now; the same array until that changes. */
  live: readonly string[] = [];

  subscribe(cellId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(cellId) ?? new Set();
    this.#listeners.set(cellId, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Runs the cell to its end. Whatever happens is in the run that it resolves to. */
  async run(consoleId: string, session: string, { id, kind, code }: Cell): Promise<Run> {
    const { previous: _, ...previous } = this.get(id) ?? {};
    this.#set(id, { ...NEW_RUN, startedAt: Date.now(), ...("status" in previous && { previous }) });
    return inQueue(async () => {
      // Taken out of the queue while it waited.
      if (this.get(id)?.stopping) return this.#set(id, { ...NEW_RUN, status: "cancelled" });
      try {
        const body = { id, kind, code, session };
        return await this.#listen(id, await send(`${CONSOLES}/${consoleId}/run`, { method: "POST", body }));
      } catch (error) {
        return this.#fail(id, error);
      }
    });
  }

  /** Finds a run again that was started before this page was opened. */
  follow(cellId: string, executionId: string): Promise<Run> {
    this.#set(cellId, { ...NEW_RUN, executionId });
    return inQueue(() => this.#follow(cellId, executionId));
  }

  /** Interrupts; asked again, ends the session, too. */
  async stop(cellId: string): Promise<void> {
    const run = this.get(cellId);
    if (!run || !isLive(run)) return;
    this.#set(cellId, { ...run, stopping: true });
    // One that has no id yet is interrupted as soon as it has.
    if (run.executionId) await this.#interrupt(cellId, run.executionId);
  }

  async #interrupt(cellId: string, executionId: string): Promise<void> {
    try {
      await ask(`${CONSOLES}/runs/${executionId}`, { method: "DELETE" });
    } catch (error) {
      const now = this.get(cellId);
      if (now && isLive(now)) this.#set(cellId, { ...now, stopping: false, problem: sentence(error) });
    }
  }

  forget(cellId: string): void {
    this.#runs.delete(cellId);
    this.#tell(cellId);
  }

  async #follow(cellId: string, executionId: string): Promise<Run> {
    for (let tries = 0; ; tries++) {
      try {
        const response = await send(`${CONSOLES}/runs/${executionId}`);
        this.#set(cellId, { ...NEW_RUN, status: "running", executionId });
        return await this.#listen(cellId, response, tries);
      } catch (error) {
        if (!(error instanceof Refusal && error.code === "unreachable") || tries >= MOST_TRIES)
          return this.#fail(cellId, error);
        await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** tries, 10_000)));
      }
    }
  }

  async #listen(cellId: string, response: Response, tries = 0): Promise<Run> {
    let run = this.get(cellId) ?? NEW_RUN;
    try {
      if (response.body)
        for await (const event of readEvents(response.body)) {
          run = afterEvent({ ...run, stopping: this.get(cellId)?.stopping ?? false }, event);
          this.#set(cellId, run, event.name !== "stdout" && event.name !== "stderr");
          if (event.name === "started" && run.stopping && run.executionId)
            void this.#interrupt(cellId, run.executionId);
        }
    } catch {
      // The connection broke; the run didn't.
    }
    if (!isLive(run)) return this.#set(cellId, run);
    if (!run.executionId || tries >= MOST_TRIES) {
      return this.#fail(cellId, new Error("The connection to the server was lost."));
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    return this.#follow(cellId, run.executionId);
  }

  #fail(cellId: string, error: unknown): Run {
    const run = this.get(cellId) ?? NEW_RUN;
    return this.#set(cellId, { ...run, status: "unknown", problem: sentence(error) });
  }

  #set(cellId: string, run: Run, atOnce = true): Run {
    this.#runs.set(cellId, run);
    if (isLive(run) !== this.#live.has(cellId)) {
      if (isLive(run)) this.#live.add(cellId);
      else this.#live.delete(cellId);
      this.live = [...this.#live];
      this.#tell("");
    }
    if (atOnce) this.#tell(cellId);
    else if (!this.#redraw.has(cellId))
      this.#redraw.set(
        cellId,
        setTimeout(() => this.#tell(cellId), REDRAW_MS),
      );
    return run;
  }

  /** Who asks for "" hears which cells are live. */
  #tell(cellId: string): void {
    clearTimeout(this.#redraw.get(cellId));
    this.#redraw.delete(cellId);
    for (const listener of this.#listeners.get(cellId) ?? []) listener();
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong.";
}

/** Runs so many at a time, the others in their order. */
function queue(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
