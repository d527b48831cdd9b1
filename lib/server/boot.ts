// What the server process does when it starts and when it is told to end.
import { takeInstallationLock } from "#db/installation-lock.ts";
import { dropEmptyVariables, env } from "#env.ts";
import { takeOrders } from "../admin/orders.ts";
import { isBrokenOff } from "../app-error.ts";
import { clearPackedWorkspaces } from "../backup/packed-workspace.ts";
import { keepBlobsSwept } from "../blobs/sweep-blobs.ts";
import { openChats } from "../chats/conversations.ts";
import { interruptTurns } from "../chats/turns.ts";
import { closeDatabase, databaseUrl } from "../database.ts";
import { keepHistoryRoom } from "../executions/history-room.ts";
import { reconcileExecutions } from "../executions/reconcile.ts";
import { log } from "../log.ts";
import { keepLogsPruned } from "../retention/prune-logs.ts";
import { keepRetention } from "../retention/retention.ts";
import { writeDenials } from "../sandboxes/record-denials.ts";
import { closeSandboxes, sandboxes } from "../sandboxes/sandboxes.ts";

// Longer than a graceful shutdown of the server before us takes, shorter than an operator's patience.
const LOCK_PATIENCE_MS = 30_000;

export async function boot(): Promise<void> {
  dropEmptyVariables();
  // Whoever develops reads the console, with sources and overlay.
  if (!env().development) consoleToLog();
  const stopTracing = await startTracingIfWanted();
  const lock = await takeInstallationLock(databaseUrl(), {
    patienceMs: LOCK_PATIENCE_MS,
    onLost: () => end("Another Cove server took this installation over while the database was away."),
  });
  if (!lock)
    return end(
      "Another Cove server owns this installation and did not end within 30 s. Nothing was touched.",
    );

  const orders = takeOrders();
  let ending = false;
  const shutDown = async (reason: string) => {
    if (ending) return;
    ending = true;
    log().info({ reason }, "shutting down");
    void orders.close();
    const steps = [interruptTurns, closeSandboxes, writeDenials, closeDatabase, lock.release, stopTracing];
    for (const step of steps) {
      // One that fails, for want of a database say, must not keep the others from their turn.
      await step?.().catch((err) => log().warn({ err, step: step.name }, "a step of the shutdown failed"));
    }
    process.exit(0);
  };
  process.once("SIGTERM", () => shutDown("SIGTERM"));
  process.once("SIGINT", () => shutDown("SIGINT"));
  // The launcher holds the other end of this channel: if it is killed, nobody else is left to end us.
  process.once("disconnect", () => shutDown("the launcher is gone"));

  await openChats();
  await clearPackedWorkspaces();
  await keepBlobsSwept();
  keepHistoryRoom();
  keepRetention();
  keepLogsPruned();
  await openSandboxesOrSayWhy();
}

/** Loaded only where it is used: it is large. */
async function startTracingIfWanted(): Promise<(() => Promise<void>) | undefined> {
  const collector = env().OTEL_EXPORTER_OTLP_ENDPOINT;
  return collector ? (await import("../observe/start-tracing.ts")).startTracing(collector) : undefined;
}

/** Without an engine the rest still works and /health says what doesn't; the next run tries again. */
async function openSandboxesOrSayWhy(): Promise<void> {
  try {
    const { quota } = await sandboxes();
    log().info({ quota }, "sandboxes are open");
  } catch (err) {
    log().error({ err }, "sandboxes could not be opened");
  }
  // Not awaited: what an earlier server left may have to wait for the engine.
  void reconcileExecutions();
}

function end(sentence: string): never {
  log().fatal(sentence);
  process.exit(1);
}

/** Next prints errors as they are, the parameters of failed queries and all; the log knows what to cut out. */
function consoleToLog(): void {
  console.error = (...said: unknown[]) => {
    const err = said.find((one) => one instanceof Error);
    // Half a request is nobody's to mend. One with a digest also comes to `onRequestError`, which knows the path.
    if (err && ("digest" in err || isBrokenOff(err))) return;
    const words = said.filter((one) => typeof one === "string").join(" ");
    log().error({ err }, words || "the server reports an error");
  };
}
