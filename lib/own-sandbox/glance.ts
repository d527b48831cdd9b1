// A user's sandbox as it is right now, for the panel on every page. Looking neither makes nor wakes it.
import { env } from "#env.ts";
import type { SandboxInfo } from "#sandbox/index.ts";
import { perProcess } from "../per-process.ts";
import { allowedHosts } from "../sandboxes/allowed-hosts.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

export interface SandboxView {
  /** `none`: nobody has run anything yet. */
  state: "none" | "active" | "paused" | "stopped";
  /** When this was so, and the processor time used until then: two views tell how busy it was in between. */
  at: number;
  cpuMs: number | null;
  cpus: number;
  memory: Use;
  disk: Use;
  processes: number;
}

/** Bytes; how many are used is unknown while it rests. */
export interface Use {
  used: number | null;
  total: number;
}

const HOUR_MS = 3_600_000;
// A workspace doesn't change while its sandbox rests, so what was seen last still holds.
const disks = perProcess<Map<string, number>>("sandbox-disks");

export async function glanceSandbox(userId: string): Promise<SandboxView> {
  return viewOf(userId, await look(userId, false));
}

/** The same with everything that can be looked at or stopped. */
export async function inspectSandbox(userId: string) {
  const { COVE_EGRESS, COVE_SANDBOX_PIDS } = env();
  const opened = await sandboxes().catch(rethrow);
  const found = await look(userId, true);
  return {
    ...viewOf(userId, found),
    pidsLimit: COVE_SANDBOX_PIDS,
    quota: opened.quota.kind,
    uptimeMs: found?.info?.uptimeMs ?? null,
    running: found?.processes?.processes ?? [],
    sessions: (found?.info?.sessions ?? []).map(({ name, busy, ageMs, memoryBytes }) => ({
      name,
      busy,
      ageMs,
      memoryBytes,
    })),
    network: { mode: COVE_EGRESS, allow: allowedHosts() },
    denials: opened
      .denials(userId, Date.now() - HOUR_MS)
      .reverse()
      .slice(0, 20),
  };
}

export type SandboxDetails = Awaited<ReturnType<typeof inspectSandbox>>;

async function look(userId: string, processes: boolean) {
  return (await sandboxes()).glance(userId, { processes }).catch(rethrow);
}

function viewOf(userId: string, found: { state: string; info?: SandboxInfo } | undefined): SandboxView {
  const { COVE_SANDBOX_CPUS, COVE_SANDBOX_MEMORY, COVE_SANDBOX_DISK } = env();
  const info = found?.info;
  return {
    state: (found?.state as SandboxView["state"] | undefined) ?? "none",
    at: Date.now(),
    cpuMs: info?.cpuMs ?? null,
    cpus: COVE_SANDBOX_CPUS,
    memory: { used: info?.memoryBytes ?? null, total: info?.memoryLimitBytes ?? COVE_SANDBOX_MEMORY },
    disk: {
      used: diskUsed(userId, found !== undefined, info),
      total: info?.disk?.totalBytes ?? COVE_SANDBOX_DISK,
    },
    processes: info?.processes ?? 0,
  };
}

function diskUsed(userId: string, exists: boolean, info: SandboxInfo | undefined): number | null {
  const known = disks.get(() => new Map());
  if (info?.disk) known.set(userId, info.disk.totalBytes - info.disk.freeBytes);
  else if (!exists) known.delete(userId);
  return known.get(userId) ?? null;
}

function rethrow(error: unknown): never {
  throw fromSandbox(error);
}
