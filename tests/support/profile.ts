// The container profile as a list of what `inspect` has to say, written out apart from the code that makes it.

import { readdirSync } from "node:fs";
import type Docker from "dockerode";
import { expect } from "vitest";
import { seccompProfile } from "#sandbox/docker/seccomp.ts";

export type ProfileExpectations = {
  installation: string;
  image: string;
  /** Where the installation keeps the disk images of its sandboxes. */
  disks: string;
  memoryBytes: number;
  cpus: number;
  pids: number;
  tmpBytes: number;
  shmBytes: number;
};

/** Resolves to the uid, which is each container's own. */
export function expectProfile(details: Docker.ContainerInspectInfo, wanted: ProfileExpectations): number {
  const { Config, HostConfig, Mounts } = details;
  const id = details.Name.replace(/^\/cove-/, "");
  const uid = Number(Config.Labels["cove.uid"]);
  const workspace = `${wanted.disks}/${id}/workspace`;
  const shared = `cove-${wanted.installation}-shared`;
  expect(uid).toBeGreaterThanOrEqual(20_000);
  expect(Config).toMatchObject({
    User: `${uid}:${uid}`,
    Hostname: "cove",
    Image: wanted.image,
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
  expect(Config.Labels).toEqual({
    cove: wanted.installation,
    "cove.role": "sandbox",
    "cove.sandbox": id,
    "cove.uid": String(uid),
    "cove.image": wanted.image,
  });
  expectEnvironment(Config.Env ?? []);
  expect(Config.ExposedPorts).toBeUndefined();
  const set = Object.entries(HostConfig).filter(([, value]) => !isEmpty(value));
  expect(Object.fromEntries(set)).toEqual({
    CapDrop: ["ALL"],
    CgroupnsMode: "private",
    IpcMode: "private",
    LogConfig: { Type: "none", Config: {} },
    MaskedPaths: hidden,
    Memory: wanted.memoryBytes,
    MemorySwap: wanted.memoryBytes,
    Mounts: [
      {
        Type: "bind",
        Source: workspace,
        Target: "/workspace",
        BindOptions: { Propagation: "rprivate" },
      },
      {
        Type: "volume",
        Source: shared,
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
    ShmSize: wanted.shmBytes,
    Tmpfs: {
      "/tmp": `rw,exec,nosuid,nodev,mode=1777,size=${wanted.tmpBytes},nr_inodes=${wanted.tmpBytes / 4096}`,
      "/run/cove": `rw,noexec,nosuid,nodev,mode=0700,uid=${uid},gid=${uid},size=4194304,nr_inodes=256`,
    },
    Ulimits: [
      { Name: "nofile", Soft: 4096, Hard: 4096 },
      { Name: "core", Soft: 0, Hard: 0 },
      { Name: "memlock", Soft: 65_536, Hard: 65_536 },
      { Name: "msgqueue", Soft: 0, Hard: 0 },
      { Name: "sigpending", Soft: 1024, Hard: 1024 },
    ],
  });
  const mounted = Mounts.map(({ Type, Name, Source, Destination, RW, Propagation }) =>
    Type === "volume" ? { Name, Destination, RW } : { Source, Destination, RW, Propagation },
  );
  expect(mounted.toSorted((a) => (a.Destination === "/workspace" ? -1 : 1))).toEqual([
    { Source: workspace, Destination: "/workspace", RW: true, Propagation: "rprivate" },
    { Name: shared, Destination: "/opt/cove", RW: false },
  ]);
  expect(Object.keys(details.NetworkSettings.Networks)).toEqual(["none"]);
  return uid;
}

/** Every variable with its value; those of a host that has a registry or certificates of its own may follow. */
function expectEnvironment(entries: string[]): void {
  const found = Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
  const known = Object.keys(variables);
  expect(Object.fromEntries(Object.entries(found).filter(([name]) => known.includes(name)))).toEqual(
    variables,
  );
  for (const [name, value] of Object.entries(found).filter(([name]) => !known.includes(name))) {
    expect([name, value]).toEqual([name, expect.stringMatching(ofTheHost[name] ?? /^nothing else$/)]);
  }
}

const proxy = "http://127.0.0.1:3128";
const direct = "localhost,127.0.0.1,::1";
const variables = {
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  ALL_PROXY: proxy,
  NO_PROXY: direct,
  http_proxy: proxy,
  https_proxy: proxy,
  all_proxy: proxy,
  no_proxy: direct,
  NODE_USE_ENV_PROXY: "1",
  PATH: "/workspace/.local/bin:/usr/local/bin:/usr/bin:/usr/sbin",
  HOME: "/workspace",
  SHELL: "/bin/bash",
  USER: "coderunner",
  LC_CTYPE: "C.UTF-8",
  PYTHONUNBUFFERED: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_NO_INPUT: "1",
  PIP_NO_CACHE_DIR: "1",
  NPM_CONFIG_PREFIX: "/workspace/.local",
  NPM_CONFIG_UPDATE_NOTIFIER: "false",
  NPM_CONFIG_FUND: "false",
  NPM_CONFIG_AUDIT: "false",
  MPLBACKEND: "Agg",
  MPLCONFIGDIR: "/tmp/.matplotlib",
  OPENBLAS_NUM_THREADS: "1",
  OMP_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
  NUMEXPR_NUM_THREADS: "1",
};

// An address, but never what opens it.
const address = /^https?:\/\/[^@\s]+$/;
const certificates = /^\/opt\/cove\/trust\/(all|extra)\.pem$/;
const ofTheHost: Record<string, RegExp> = {
  npm_config_registry: address,
  PIP_INDEX_URL: address,
  UV_INDEX_URL: address,
  NODE_EXTRA_CA_CERTS: certificates,
  SSL_CERT_FILE: certificates,
  CURL_CA_BUNDLE: certificates,
  REQUESTS_CA_BUNDLE: certificates,
  PIP_CERT: certificates,
  GIT_SSL_CAINFO: certificates,
};

const inProc =
  "acpi asound bus cmdline config.gz consoles crypto devices dma driver execdomains fb iomem ioports irq kallsyms"
    .concat(
      " kcore key-users keys kmsg mdstat misc modules mtrr partitions scsi swaps sysrq-trigger timer_list",
    )
    .concat(
      " timer_stats buddyinfo diskstats fs interrupts kpagecgroup kpagecount kpageflags latency_stats locks",
    )
    .concat(" pagetypeinfo pressure sched_debug schedstat slabinfo softirqs spl vmallocinfo vmstat zoneinfo")
    .concat(
      " sys/fs/aio-nr sys/fs/dentry-state sys/fs/file-nr sys/fs/inode-nr sys/fs/inode-state sys/fs/quota",
    )
    .concat(" sys/kernel/pty/nr");
const inSys = "block bus class dev firmware hypervisor module power kernel"
  .concat(
    " fs/bcachefs fs/bpf fs/btrfs fs/erofs fs/ext4 fs/f2fs fs/fuse fs/nfs fs/ocfs2 fs/pstore fs/resctrl fs/xfs",
  )
  .concat(" fs/zfs devices/system/node");
/** Whatever this machine is made of, processors aside. */
const devices = [
  ...new Set(["LNXSYSTM:00", "pci0000:00", "platform", "pnp0", "virtual", ...readdirSync("/sys/devices")]),
];
const hidden = [
  ...inProc.split(" ").map((name) => `/proc/${name}`),
  ...inSys.split(" ").map((name) => `/sys/${name}`),
  ...devices
    .filter((name) => name !== "system")
    .sort()
    .map((name) => `/sys/devices/${name}`),
];

/** What the engine reports for an option that nobody set. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.every((item) => item === 0);
  return typeof value === "object" && Object.keys(value).length === 0;
}
