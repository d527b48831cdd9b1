// The server's sandboxes: opened once with everything the environment says, closed at shutdown.
import { homedir } from "node:os";
import path from "node:path";
import { type Env, env, hostEnvironment } from "#env.ts";
import {
  hostPresets,
  hostRegistries,
  npmRegistry,
  openSandboxes,
  type Sandbox,
  type Sandboxes,
} from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { engine } from "../engine.ts";
import { openInstallation } from "../installation.ts";
import { log } from "../log.ts";
import { inStage } from "../observe/in-stage.ts";
import { countEvent } from "../observe/metrics.ts";
import { perProcess } from "../per-process.ts";
import { loadAllowedHosts } from "./allowed-hosts.ts";
import { requireOwnInstallation } from "./own-installation.ts";
import { postgresOwnership } from "./ownership.ts";
import { recordDenial } from "./record-denials.ts";

const kept = perProcess<Promise<Sandboxes>>("sandboxes");

/** Opened on first use. A failure is not remembered: once the engine is back, the next call works. */
export function sandboxes(): Promise<Sandboxes> {
  return kept.get(() =>
    open().catch((error) => {
      kept.set(undefined);
      throw error;
    }),
  );
}

/** The user's sandbox if it is at hand already; the engine isn't asked. */
export async function readySandbox(userId: string): Promise<Sandbox | undefined> {
  return (await readySandboxes())?.opened(userId);
}

/** All of them, if they are open. */
export async function readySandboxes(): Promise<Sandboxes | undefined> {
  return kept.peek()?.catch(() => undefined);
}

export async function closeSandboxes(): Promise<void> {
  const opened = await kept.peek()?.catch(() => undefined);
  await opened?.close(env().COVE_SHUTDOWN);
}

/** For a program that owns the installation for a moment and knows some settings better than its environment. */
export function openOwnSandboxes(changes: Partial<Env>): Promise<Sandboxes> {
  return open({ ...env(), ...changes });
}

/** On the host, of the skills everybody has: later ones win over earlier ones of the same name. */
export function skillFolders(): string[] {
  const extra = env().COVE_SKILLS_DIR;
  return [path.resolve("skills"), ...(extra ? [extra] : [])];
}

async function open(settings: Env = env()): Promise<Sandboxes> {
  if (!settings.COVE_SANDBOX_IMAGE || !settings.AUTH_SECRET) {
    throw new AppError("unavailable", "The sandboxes are not set up: start the server with `npm start`.");
  }
  const { id } = await openInstallation(settings.AUTH_SECRET);
  await requireOwnInstallation(id);
  const host = { env: hostEnvironment(), home: homedir() };
  return openSandboxes({
    engine: engine(),
    installation: id,
    image: settings.COVE_SANDBOX_IMAGE,
    dataDir: path.join(settings.COVE_DATA_DIR, "sandboxes"),
    folders: { skills: skillFolders(), tools: path.resolve("tools") },
    ownership: postgresOwnership,
    egress: {
      mode: settings.COVE_EGRESS,
      allow: await loadAllowedHosts(),
      onDenied: recordDenial,
      registries: [...(await npmRegistry(log())), ...(await hostRegistries(host))],
    },
    presets: await hostPresets(host),
    limits: {
      memoryBytes: settings.COVE_SANDBOX_MEMORY,
      cpus: settings.COVE_SANDBOX_CPUS,
      pids: settings.COVE_SANDBOX_PIDS,
    },
    disk: { bytes: settings.COVE_SANDBOX_DISK },
    execution: { timeoutMs: settings.COVE_TIMEOUT * 1000, maxTimeoutMs: settings.COVE_TIMEOUT_MAX * 1000 },
    concurrency: { perUser: settings.COVE_CONCURRENCY },
    idle: { pauseAfterMs: settings.COVE_IDLE_PAUSE * 1000, stopAfterMs: settings.COVE_IDLE_STOP * 1000 },
    warmPool: settings.COVE_WARM_POOL,
    log: log(),
    observer: { around: inStage, count: countEvent },
  });
}
