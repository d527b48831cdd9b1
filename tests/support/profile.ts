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
    Entrypoint: ["/usr/bin/python3", "-I", "-S", "-E", "/usr/lib/cove/coved/__main__.py"],
    Cmd: null,
    Volumes: null,
    StopSignal: "SIGKILL",
  });
  // Names, so that what a registry or a mirror of this host is called doesn't matter.
  const names = (Config.Env ?? []).map((entry) => entry.split("=")[0] ?? "");
  expect(names.filter((name) => !variables.includes(name))).toEqual([]);
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
    Mounts: [
      expect.objectContaining({ Target: "/workspace" }),
      {
        Type: "volume",
        Source: expect.stringMatching(/^cove-.*-shared$/),
        Target: "/opt/cove",
        ReadOnly: true,
        VolumeOptions: { NoCopy: true, DriverConfig: { Name: "local" } },
      },
    ],
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
    Ulimits: [
      { Name: "nofile", Soft: 4096, Hard: 4096 },
      { Name: "core", Soft: 0, Hard: 0 },
      { Name: "memlock", Soft: 65_536, Hard: 65_536 },
      { Name: "msgqueue", Soft: 0, Hard: 0 },
      { Name: "sigpending", Soft: 1024, Hard: 1024 },
    ],
  });
  expect(Mounts.map(({ Destination, RW }) => [Destination, RW]).sort()).toEqual([
    ["/opt/cove", false],
    ["/workspace", true],
  ]);
  expect(Object.keys(details.NetworkSettings.Networks)).toEqual(["none"]);
}

const variables = [
  ...[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
  ],
  ...["NODE_USE_ENV_PROXY", "npm_config_registry", "PIP_INDEX_URL", "UV_INDEX_URL", "NODE_EXTRA_CA_CERTS"],
  ...["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO"],
  ...["PATH", "HOME", "LC_CTYPE", "PYTHONUNBUFFERED", "MPLBACKEND", "MPLCONFIGDIR"],
  ...["PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_INPUT", "PIP_NO_CACHE_DIR"],
  ...["NPM_CONFIG_PREFIX", "NPM_CONFIG_UPDATE_NOTIFIER", "NPM_CONFIG_FUND", "NPM_CONFIG_AUDIT"],
  ...["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"],
];

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
