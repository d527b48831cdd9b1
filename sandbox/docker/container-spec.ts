// Everything the engine is told about a sandbox's container, as one pure function of what varies.

import type { ContainerCreateOptions, HostConfig, MountSettings } from "dockerode";
import type { MachineLimits } from "../engine/engine.ts";
import { maskedPaths, readonlyPaths } from "./hidden-paths.ts";
import { seccompProfile } from "./seccomp.ts";

export type ContainerSpec = {
  id: string;
  installation: string;
  image: string;
  uid: number;
  limits: MachineLimits;
  workspace: MountSettings;
  sharedVolume: string;
  /** Added to the image's own variables. */
  environment?: Readonly<Record<string, string>>;
  /** The engine's hardware, by its names in /sys/devices: see `deviceRoots`. */
  devices?: readonly string[];
  /** Another OCI runtime of the engine, such as gVisor's `runsc`. */
  runtime?: string;
};

export function containerSpec(spec: ContainerSpec): ContainerCreateOptions {
  return {
    name: containerName(spec.id),
    Image: spec.image,
    Hostname: "cove",
    User: `${spec.uid}:${spec.uid}`,
    WorkingDir: "/workspace",
    Env: Object.entries(spec.environment ?? {}).map(([name, value]) => `${name}=${value}`),
    Labels: sandboxLabels(spec),
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    OpenStdin: false,
    Tty: false,
    StopSignal: "SIGKILL", // The daemon has nothing to save and ignores what user code could send it.
    StopTimeout: 1,
    HostConfig: hostConfig(spec),
  };
}

export function containerName(id: string): string {
  return `cove-${id}`;
}

export const installationLabel = "cove";

function sandboxLabels(spec: Pick<ContainerSpec, "id" | "installation" | "uid" | "image">) {
  return {
    [installationLabel]: spec.installation,
    "cove.role": "sandbox",
    "cove.sandbox": spec.id,
    "cove.uid": String(spec.uid),
    "cove.image": spec.image,
  };
}

/** The types of the client library lack this one. */
type CompleteHostConfig = HostConfig & { CgroupnsMode: "private" };

function hostConfig(spec: ContainerSpec): CompleteHostConfig {
  const { uid, limits, workspace, sharedVolume, devices = [], runtime } = spec;
  return {
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges", `seccomp=${JSON.stringify(seccompProfile())}`],
    Privileged: false,
    ReadonlyRootfs: true,
    NetworkMode: "none",
    IpcMode: "private",
    PidMode: "",
    UTSMode: "",
    UsernsMode: "",
    CgroupnsMode: "private",
    Init: false,
    AutoRemove: false,
    RestartPolicy: { Name: "no" },
    LogConfig: { Type: "none", Config: {} },
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
    NanoCpus: Math.round(limits.cpus * 1e9),
    PidsLimit: limits.pids,
    // When the host itself runs short, sandboxes go before the server does.
    OomScoreAdj: 300,
    ShmSize: limits.shmBytes,
    Ulimits: [
      { Name: "nofile", Soft: limits.openFiles, Hard: limits.openFiles },
      { Name: "core", Soft: 0, Hard: 0 },
      { Name: "memlock", Soft: 65_536, Hard: 65_536 },
      { Name: "msgqueue", Soft: 0, Hard: 0 },
      { Name: "sigpending", Soft: 1024, Hard: 1024 },
    ],
    Tmpfs: {
      "/tmp": `rw,exec,nosuid,nodev,mode=1777,size=${limits.tmpBytes},nr_inodes=${tmpInodes(limits.tmpBytes)}`,
      "/run/cove": `rw,noexec,nosuid,nodev,mode=0700,uid=${uid},gid=${uid},size=4194304,nr_inodes=256`,
    },
    Mounts: [
      { ...workspace, Target: "/workspace", ReadOnly: false },
      {
        Type: "volume",
        Source: sharedVolume,
        Target: "/opt/cove",
        ReadOnly: true,
        VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig: { Name: "local", Options: {} } },
      },
    ],
    MaskedPaths: maskedPaths(devices),
    ReadonlyPaths: [...readonlyPaths],
    ...(runtime && { Runtime: runtime }),
  };
}

/** An inode of a tmpfs costs the host about 1 kB that its size doesn't count. */
function tmpInodes(bytes: number): number {
  return Math.max(1024, Math.min(65_536, Math.floor(bytes / 4096)));
}
