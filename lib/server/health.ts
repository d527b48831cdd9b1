import { pingDatabase } from "#db/client.ts";
import packageJson from "#package.json" with { type: "json" };
import { probeDb } from "../database.ts";
import { engine } from "../engine.ts";
import { log } from "../log.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

type Part = "ok" | "down";

export interface Health {
  status: "ok" | "degraded";
  version: string;
  database: Part;
  sandbox: Part;
}

// Somebody who waits for a health check would rather hear "down" than wait longer.
const PATIENCE_MS = 2_000;

export async function health(): Promise<Health> {
  const [database, sandbox] = await Promise.all([
    check("database", () => pingDatabase(probeDb())),
    check("sandbox", pingSandboxes),
  ]);
  const status = database === "ok" && sandbox === "ok" ? "ok" : "degraded";
  return { status, version: packageJson.version, database, sandbox };
}

/** An engine that answers is not enough: without its image or its disk nothing can be opened. */
async function pingSandboxes(): Promise<void> {
  await sandboxes();
  await engine().version();
}

async function check(name: string, probe: () => Promise<unknown>): Promise<Part> {
  const patience = Promise.withResolvers<never>();
  const timer = setTimeout(() => patience.reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
  try {
    await Promise.race([probe(), patience.promise]);
    return "ok";
  } catch (err) {
    log().warn({ err }, `health: ${name} is down`);
    return "down";
  } finally {
    clearTimeout(timer);
  }
}
