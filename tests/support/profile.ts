// The container profile as a list of what `inspect` has to say, written out apart from the code that makes it.

import type Docker from "dockerode";
import { expect } from "vitest";
import { seccompProfile } from "#sandbox/seccomp.ts";

export type ProfileExpectations = { uid: number; memoryBytes: number; cpus: number; pids: number };

export function expectProfile(details: Docker.ContainerInspectInfo, wanted: ProfileExpectations): void {
  const { Config, HostConfig, Mounts } = details;
  expect(Config).toMatchObject({
    User: `${wanted.uid}:${wanted.uid}`,
    Hostname: "cove",
    Tty: false,
    OpenStdin: false,
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    WorkingDir: "/workspace",
  });
  expect(Config.ExposedPorts).toBeUndefined();
  const set = Object.entries(HostConfig).filter(([, value]) => !isEmpty(value));
  expect(Object.fromEntries(set)).toEqual({
    CapDrop: ["ALL"],
    CgroupnsMode: "private",
    IpcMode: "private",
    LogConfig: { Type: "none", Config: {} },
    MaskedPaths: expect.arrayContaining(hidden),
    Memory: wanted.memoryBytes,
    MemorySwap: wanted.memoryBytes,
    Mounts: expect.any(Array),
    NanoCpus: wanted.cpus * 1e9,
    NetworkMode: "none",
    OomScoreAdj: 300,
    PidsLimit: wanted.pids,
    ReadonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys"],
    ReadonlyRootfs: true,
    RestartPolicy: { Name: "no", MaximumRetryCount: 0 },
    Runtime: "runc",
    SecurityOpt: ["no-new-privileges", `seccomp=${JSON.stringify(seccompProfile())}`],
    ShmSize: expect.any(Number),
    Tmpfs: {
      "/tmp": expect.stringMatching(/^rw,exec,nosuid,nodev,mode=1777,size=\d+,nr_inodes=\d+$/),
      "/run/cove": expect.stringMatching(
        /^rw,noexec,nosuid,nodev,mode=0700,uid=(\d+),gid=\1,size=\d+,nr_inodes=\d+$/,
      ),
    },
    Ulimits: expect.arrayContaining([
      { Name: "nofile", Soft: expect.any(Number), Hard: expect.any(Number) },
      { Name: "core", Soft: 0, Hard: 0 },
    ]),
  });
  expect(Mounts.map(({ Destination, RW }) => [Destination, RW]).sort()).toEqual([
    ["/opt/cove", false],
    ["/workspace", true],
  ]);
  expect(Object.keys(details.NetworkSettings.Networks)).toEqual(["none"]);
}

const hidden = [
  ...["/proc/kallsyms", "/proc/cmdline", "/proc/config.gz", "/proc/kcore", "/proc/keys", "/proc/modules"],
  ...[
    "/proc/interrupts",
    "/proc/timer_list",
    "/proc/sched_debug",
    "/proc/scsi",
    "/sys/firmware",
    "/sys/kernel",
  ],
];

/** What the engine reports for an option that nobody set. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.every((item) => item === 0);
  return typeof value === "object" && Object.keys(value).length === 0;
}
