// What isolates sandboxes, in the sandbox's own words. Lifecycle, pipe, runs, files and egress are the same above every
// engine; each engine is a folder that implements this, and nothing outside that folder knows its name.

import type { Duplex, Readable, Writable } from "node:stream";
import type { SandboxRecord } from "../ownership.ts";

export interface Engine {
  readonly machines: Machines;
  /** Missing where a machine can't be held still: it is then stopped when its time comes, and never paused. */
  readonly freezer?: Freezer;
  readonly workspaces: Workspaces;
  /** Has what the shared folders hold appear in every machine, if it has changed. Resolves to whether it had. */
  refreshShared(): Promise<boolean>;
  /** A stream of bytes to the daemon of a machine that runs. */
  dial(sandbox: SandboxIdentity): Promise<Duplex>;
}

/** The way to an engine, before an installation is opened on it. */
export interface EngineConnection {
  /** Its version, or an error that says what to do about it. */
  version(): Promise<string>;
  /** Writes down at the engine whose an installation's id is, unless it is somebody's already. Resolves to whose it is now. */
  recordOwner(installation: string, owner: InstallationOwner): Promise<InstallationOwner>;
  forgetOwner(installation: string): Promise<void>;
  /** By sandbox id, for whoever only wants to look; those without a machine are missing. */
  machineStates(installation: string): Promise<Map<string, MachineState>>;
  /**
   * Gives the workspaces of a copied installation names of their own. Until `forget` is called both names lead to the files,
   * so that whoever is cut off in between can begin again.
   */
  renewWorkspaces(sandboxes: RenamedSandbox[], options: RenewOptions): Promise<{ forget(): Promise<void> }>;
  open(settings: EngineSettings): Promise<Engine>;
}

/** Told by the installation itself; the engine only keeps it. */
export type InstallationOwner = {
  system: string;
  database: string;
  placedAt?: string | undefined;
  directory?: string | undefined;
  /** The machine that the directory is on, where that is the server's own. */
  host?: string | undefined;
};

export type RenamedSandbox = SandboxIdentity & { newId: string };

export type RenewOptions = {
  /** The id that the original keeps, and the copy's own. */
  from: string;
  to: string;
  dataDir: string;
  /** Asked for only if it is needed. */
  image: () => Promise<string>;
};

export type EngineSettings = {
  /** Tells this installation's machines and workspaces from all others on the engine. */
  installation: string;
  image: string;
  dataDir: string;
  folders: Folders;
  /** Added to the image's own variables. */
  environment: Readonly<Record<string, string>>;
  limits: MachineLimits;
  disk: DiskOptions;
};

/** A machine is named after its sandbox, and its processes run under the sandbox's uid. */
export type SandboxIdentity = Pick<SandboxRecord, "id" | "uid">;

/** What a user waits for goes before what is done ahead of need. */
export type Priority = "user" | "background";

/** What sandboxes run in: containers, pods, process trees. Each operation may be repeated, and fails with an EngineError. */
export interface Machines {
  look(id: string): Promise<MachineView>;
  /**
   * Makes one on the workspace of its sandbox, which is attached. What has its name already is left from a crash and goes,
   * unless `mayReplace` throws.
   */
  create(sandbox: SandboxIdentity, priority: Priority, mayReplace: () => Promise<unknown>): Promise<void>;
  start(id: string, priority: Priority): Promise<void>;
  /** At once: the daemon has nothing to save. */
  stop(id: string): Promise<void>;
  /** Ends every process in it. */
  kill(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** All of this installation, helpers and whatever else carries its name included. */
  list(): Promise<ListedMachine[]>;
  /** For one that belongs to no sandbox. */
  removeListed(machine: ListedMachine): Promise<void>;
}

export type MachineState = "absent" | "stopped" | "running" | "paused";

export type MachineView = {
  state: MachineState;
  image: string | undefined;
  /** What it works on, as the engine names it; `Workspaces.whose` tells whether that is its sandbox's. */
  workspace?: string | undefined;
};

export type ListedMachine = MachineView & {
  /** The engine's own name for it. */
  name: string;
  sandboxId: string | undefined;
  role: string | undefined;
};

export interface Freezer {
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
}

/** The disks behind /workspace. They outlive machines; an existing one is always found where it was made. */
export interface Workspaces {
  /** What new ones get. */
  readonly quota: Quota;
  quotaOf(id: string): Promise<Quota["kind"]>;
  create(id: string, uid: number): Promise<void>;
  exists(id: string): Promise<boolean>;
  list(): Promise<string[]>;
  remove(id: string): Promise<void>;
  /** Makes it ready for a machine that is about to be made or to start. */
  attach(id: string): Promise<void>;
  detach(id: string): Promise<void>;
  /** Detaches what no machine needs. */
  detachOthers(needed: Set<string>): Promise<void>;
  /** Gives back to the host what was deleted in it. */
  trim(id: string): Promise<void>;
  /** Whose files a machine works on: nobody's where they have gone, after a move say. */
  whose(id: string, workspace: string): Promise<"own" | "nobody's" | "another's">;
  /** Throws when the host is too full to let anything new be stored. */
  requireRoom(): Promise<void>;
  /** An attached one as a tar without owners. */
  pack(id: string, to: Writable): Promise<void>;
  /** Fills an attached one from such a tar, as its owner. */
  unpack(sandbox: SandboxIdentity, archive: Readable): Promise<void>;
}

export type Quota = { kind: "hard" } | { kind: "soft"; reason: string };

/**
 * Names mapped to the folders of this host that fill them, read-only in every machine. A folder that doesn't exist is an
 * empty one; of several, an entry of a later one stands in for one of the same name.
 */
export type Folders = Record<string, string | readonly string[]>;

export type MachineLimits = {
  memoryBytes: number;
  cpus: number;
  pids: number;
  openFiles: number;
  /** Size of /tmp. It counts as memory too. */
  tmpBytes: number;
  shmBytes: number;
};

export type DiskOptions = {
  bytes: number;
  /** Kept free on the host; below it no new sandbox is made and no upload taken. */
  reserveBytes: number;
  /** `hard` fails where it can't be had. Unset: hard where it can be had, soft elsewhere. */
  quota?: "hard" | "soft" | undefined;
};
