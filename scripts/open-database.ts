// The database of a start: the operator's own, or the embedded Postgres, which is then kept running.
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import type { Env } from "#env.ts";
import { line, type Step } from "./steps.ts";
import { type Supervised, type Supervision, supervise } from "./supervise.ts";

/** What is to be done when all is over, the last first. */
export type Undo = () => Promise<void>;

export interface OpenDatabase {
  url: string;
  /** Set when the embedded one could not live in the data directory. */
  movedTo?: string;
  /** Once the server runs: takes charge of a Postgres that was running already. Nothing for one that isn't ours. */
  keep(): Supervision | undefined;
}

export async function openDatabase(env: Env, undo: Undo[], s: Step): Promise<OpenDatabase> {
  if (env.DATABASE_URL) {
    s.label("Database from DATABASE_URL");
    return { url: env.DATABASE_URL, keep: () => undefined };
  }
  const first = await startEmbeddedPostgres(env.COVE_DATA_DIR);
  s.label(first.started ? "Embedded Postgres started" : "Embedded Postgres was already running");
  const keep = () => {
    const postgres = keepPostgres(env.COVE_DATA_DIR, first);
    undo.push(postgres.stop);
    return postgres;
  };
  // One that was running may serve another Cove, which will refuse us; once we serve ourselves, it was a killed
  // launcher's and is ours to keep and to stop.
  const postgres = first.started ? keep() : undefined;
  return { url: first.url, movedTo: first.movedTo, keep: () => postgres ?? keep() };
}

function keepPostgres(dataDir: string, first: EmbeddedPostgres): Supervision {
  return supervise({
    name: "The embedded Postgres",
    current: supervised(first),
    start: async () => supervised(await startEmbeddedPostgres(dataDir, { mayCreate: false })),
    say: line,
  });
}

function supervised(postgres: EmbeddedPostgres): Supervised {
  const stopping = new AbortController();
  const ended = postgres.ended(stopping.signal).then((pid) => `is gone (process ${pid})`);
  // It was stopped, and nobody has to look any more.
  ended.catch(() => undefined);
  return {
    ended,
    stop() {
      stopping.abort();
      return postgres.stop();
    },
  };
}
