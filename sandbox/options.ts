// What `openSandboxes` can be told, and what it assumes.

import type { Egress, EgressOptions } from "./egress/open-egress.ts";
import type { Presets } from "./egress/presets.ts";
import type { DiskOptions, EngineConnection, Folders, MachineLimits } from "./engine/engine.ts";
import { SandboxError } from "./errors.ts";
import type { FairQueueOptions } from "./lifecycle/fair-queue.ts";
import type { HousekeepingOptions } from "./lifecycle/housekeeping.ts";
import { type Logger, silentLogger } from "./logger.ts";
import { nobodyWatches, type Observer } from "./observer.ts";
import { memoryOwnership, type Ownership, type UidRange } from "./ownership.ts";
import type { PipeOptions } from "./pipe/pipe.ts";
import type { SandboxLimits } from "./types.ts";

export type SandboxesOptions = {
  engine: EngineConnection;
  /** Tells this installation's machines and workspaces from all others on the engine. */
  installation: string;
  image: string;
  /** Holds disk images, so it needs room. */
  dataDir: string;
  /** Folders that appear read-only at /skills and /tools; of several, an entry of a later one wins. */
  folders?: { skills?: string | string[]; tools?: string };
  /** What sandboxes may reach: rules, or an egress that was opened elsewhere and is closed there. */
  egress?: EgressOptions | Egress;
  /** The registries and certificates that programs in a sandbox are told to use. */
  presets?: Presets;
  ownership?: Ownership;
  limits?: Partial<MachineLimits>;
  disk?: Partial<DiskOptions>;
  execution?: Partial<SandboxLimits>;
  concurrency?: Partial<FairQueueOptions>;
  idle?: Partial<HousekeepingOptions>;
  /** How many sandboxes are kept ready for new users. */
  warmPool?: number;
  /** Whether those have a Python interpreter ready, which costs about 100 MB each. True if missing. */
  warmPython?: boolean;
  uids?: UidRange;
  /** How long to wait for an engine that is being restarted. */
  enginePatienceMs?: number;
  /** How soon a sandbox that went silent is noticed. */
  pipe?: Pick<PipeOptions, "heartbeatMs" | "patienceMs">;
  log?: Logger;
  observer?: Observer;
};

const MB = 2 ** 20;

export function withDefaults(options: SandboxesOptions) {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/i.test(options.installation)) {
    const message = `"${options.installation}" can't be an installation id: use letters, digits and hyphens, up to 63.`;
    throw new SandboxError("invalid_argument", message);
  }
  return {
    ...options,
    folders: { skills: "", tools: "", ...options.folders } satisfies Folders,
    egress: options.egress ?? { mode: "packages" as const },
    presets: options.presets ?? {},
    ownership: options.ownership ?? memoryOwnership(),
    limits: {
      memoryBytes: 1024 * MB,
      cpus: 1,
      pids: 256,
      openFiles: 4096,
      tmpBytes: 256 * MB,
      shmBytes: 64 * MB,
      ...options.limits,
    },
    disk: { bytes: 2048 * MB, reserveBytes: 1024 * MB, quota: undefined, ...options.disk } as DiskOptions,
    concurrency: { perUser: 8, total: 512, waitingPerUser: 100, ...options.concurrency },
    idle: {
      pauseAfterMs: 120_000,
      stopAfterMs: 1_800_000,
      keepResultsMs: 3_600_000,
      everyMs: 5000,
      ...options.idle,
    },
    warmPool: options.warmPool ?? 2,
    warmPython: options.warmPython ?? true,
    uids: options.uids ?? { first: 20_000, last: 59_999 },
    enginePatienceMs: options.enginePatienceMs ?? 15_000,
    pipe: options.pipe ?? {},
    log: options.log ?? silentLogger,
    observer: options.observer ?? nobodyWatches,
  };
}
