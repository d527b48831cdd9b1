// What a sandbox doesn't see of /proc and /sys: the engine's own list and more. It tells about the host, or about what
// other people's sandboxes do, and serves no program inside.

import { readdir } from "node:fs/promises";

/** `devices` are names in /sys/devices. A path that isn't there is passed over by the engine. */
export function maskedPaths(devices: readonly string[]): string[] {
  const under = (parent: string, names: string) => names.split(" ").map((name) => `${parent}/${name}`);
  return [
    ...under("/proc", HOST),
    ...under("/proc", ACTIVITY),
    ...under("/proc/sys", COUNTERS),
    ...under("/sys", "block bus class dev firmware hypervisor module power kernel"),
    ...under("/sys/fs", FILE_SYSTEMS),
    // Its files count every page that anybody touches. How many processors there are is told beside it.
    "/sys/devices/system/node",
    ...[...new Set(["virtual", ...devices])].sort().map((name) => `/sys/devices/${name}`),
  ];
}

export const readonlyPaths: readonly string[] = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys"];

/**
 * The roots of this host's devices, below which every disk counts its reads and writes. Their names differ from machine
 * to machine; all but `system`, where programs look for processors, can go.
 */
export async function deviceRoots(directory = "/sys/devices"): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return [...new Set([...USUAL_ROOTS, ...names])].filter((name) => name !== "system").sort();
}

/** For an engine on another machine, whose own names nobody tells. */
const USUAL_ROOTS = ["LNXSYSTM:00", "pci0000:00", "platform", "pnp0", "virtual"];

const HOST =
  "acpi asound bus cmdline config.gz consoles crypto devices dma driver execdomains fb iomem ioports irq kallsyms kcore".concat(
    " key-users keys kmsg mdstat misc modules mtrr partitions scsi swaps sysrq-trigger timer_list timer_stats",
  );

const ACTIVITY =
  "buddyinfo diskstats fs interrupts kpagecgroup kpagecount kpageflags latency_stats locks pagetypeinfo pressure".concat(
    " sched_debug schedstat slabinfo softirqs spl vmallocinfo vmstat zoneinfo",
  );

/** Of the whole kernel, not of the sandbox. */
const COUNTERS = "fs/aio-nr fs/dentry-state fs/file-nr fs/inode-nr fs/inode-state fs/quota kernel/pty/nr";

const FILE_SYSTEMS = "bcachefs bpf btrfs erofs ext4 f2fs fuse nfs ocfs2 pstore resctrl xfs zfs";
