import { pingDatabase } from "#db/client.ts";
import packageJson from "#package.json" with { type: "json" };
import { probeDb } from "../database.ts";
import { engine } from "../engine.ts";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

type Part = "ok" | "down";
type Probes = Record<"database" | "sandbox", () => Promise<unknown>>;

export interface Health {
  status: "ok" | "degraded";
  version: string;
  database: Part;
  sandbox: Part;
}

// Somebody who waits for a health check would rather hear "down" than wait longer.
const PATIENCE_MS = 2_000;
/** Anybody may ask, as often as they like: one look answers all who ask while it goes on, and for this long after. */
const FRESH_MS = 1_000;

const shared = perProcess<() => Promise<Health>>("health");

export function health(): Promise<Health> {
  const look = shared.get(() =>
    watchHealth({ database: () => pingDatabase(probeDb()), sandbox: pingSandboxes }),
  );
  return look();
}

/** What is asked for the state of things. Only changes are logged, however often it is. */
export function watchHealth(probes: Probes, { patienceMs = PATIENCE_MS, freshMs = FRESH_MS } = {}) {
  const known: Record<keyof Probes, Part> = { database: "ok", sandbox: "ok" };
  let latest: { report: Promise<Health>; endedAt?: number } | undefined;

  async function check(name: keyof Probes): Promise<Part> {
    const problem = await problemOf(probes[name], patienceMs);
    const part = problem ? "down" : "ok";
    if (part !== known[name]) {
      if (problem) log().warn({ err: problem }, `health: ${name} is down`);
      else log().info(`health: ${name} is back`);
    }
    known[name] = part;
    return part;
  }

  async function look(): Promise<Health> {
    const [database, sandbox] = await Promise.all([check("database"), check("sandbox")]);
    const status = database === "ok" && sandbox === "ok" ? "ok" : "degraded";
    return { status, version: packageJson.version, database, sandbox };
  }

  return (): Promise<Health> => {
    if (latest && (latest.endedAt === undefined || performance.now() - latest.endedAt < freshMs)) {
      return latest.report;
    }
    const current: typeof latest = { report: look() };
    void current.report.finally(() => {
      current.endedAt = performance.now();
    });
    latest = current;
    return current.report;
  };
}

/** An engine that answers is not enough: without its image or its disk nothing can be opened. */
async function pingSandboxes(): Promise<void> {
  await sandboxes();
  await engine().version();
}

async function problemOf(probe: () => Promise<unknown>, patienceMs: number): Promise<Error | undefined> {
  const patience = Promise.withResolvers<never>();
  const timer = setTimeout(() => patience.reject(new Error(`no answer in ${patienceMs} ms`)), patienceMs);
  try {
    await Promise.race([probe(), patience.promise]);
    return undefined;
  } catch (err) {
    return err instanceof Error ? err : new Error(String(err));
  } finally {
    clearTimeout(timer);
  }
}
