// SECURITY.md 8 to 10: what code in a sandbox may ask of the kernel, and what it sees of the host.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let all: TestSandboxes;
beforeAll(async () => {
  all = await testSandboxes();
});
afterAll(() => all.cleanUp());

const python = (code: string) => all.sh("ann", `python3 - <<'CODE'\n${code}\nCODE`);

const refusedCalls = [
  ...[
    "unshare",
    "setns",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "fsopen",
    "fsmount",
    "move_mount",
    "open_tree",
  ],
  ...[
    "mount_setattr",
    "bpf",
    "keyctl",
    "add_key",
    "request_key",
    "perf_event_open",
    "ptrace",
    "process_vm_readv",
  ],
  ...[
    "process_vm_writev",
    "pidfd_getfd",
    "kcmp",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "io_setup",
  ],
  ...[
    "userfaultfd",
    "memfd_secret",
    "name_to_handle_at",
    "open_by_handle_at",
    "fanotify_init",
    "init_module",
  ],
  ...[
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "swapon",
    "acct",
    "quotactl",
  ],
  ...[
    "syslog",
    "sethostname",
    "setdomainname",
    "settimeofday",
    "clock_settime",
    "adjtimex",
    "seccomp",
    "vmsplice",
  ],
  ...[
    "landlock_create_ruleset",
    "mbind",
    "migrate_pages",
    "move_pages",
    "lookup_dcookie",
    "vhangup",
    "mq_open",
  ],
];

describe("8. System calls and sockets that reach into the kernel", () => {
  test("system calls that reach into the kernel are refused, one by one", async () => {
    const tries = refusedCalls.map(
      (name) => `
#ifdef SYS_${name}
  report("${name}", syscall(SYS_${name}, -1, -1, -1, -1, -1, -1));
#endif`,
    );
    const answer = await all.sh(
      "ann",
      `cat > /tmp/calls.c <<'CODE'
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static void report(const char *name, long result) { printf("%s %d\\n", name, result < 0 ? errno : 0); }
int main(void) {
  report("getpid", syscall(SYS_getpid));
  report("close", syscall(SYS_close, -1));
${tries.join("")}
}
CODE
gcc -o /tmp/calls /tmp/calls.c && /tmp/calls`,
    );
    const errors = new Map(answer.split("\n").map((line) => line.split(" ") as [string, string]));
    expect([errors.get("getpid"), errors.get("close")]).toEqual(["0", "9"]);
    const EPERM = "1";
    const allowed = refusedCalls.filter((name) => errors.has(name) && errors.get(name) !== EPERM);
    expect(allowed).toEqual([]);
    expect(errors.size).toBeGreaterThan(45);
  });

  test("namespaces can't be made with clone, and clone3 isn't there", async () => {
    const answer = await python(`
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
clone = {"x86_64": 56, "aarch64": 220}[platform.machine()]
for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
    assert libc.syscall(clone, flag | 17, 0, 0, 0, 0) == -1
    print(errno.errorcode[ctypes.get_errno()])
libc.syscall(435, 0, 0)
print(errno.errorcode[ctypes.get_errno()])`);
    expect(answer.split("\n")).toEqual([...Array(7).fill("EPERM"), "ENOSYS"]);
  });

  test("sockets of strange families and protocols are refused, the usual ones work", async () => {
    const answer = await python(`
import socket
def attempt(name, *arguments):
    try:
        socket.socket(*arguments).close()
        print(name, "ok")
    except OSError as error:
        print(name, error.errno)
STREAM, DGRAM, RAW = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW
for name, family in dict(AX25=3, KEY=15, PACKET=17, RDS=21, CAN=29, TIPC=30, BLUETOOTH=31, ALG=38, VSOCK=40, XDP=44).items():
    attempt(name, family, RAW, 0)
attempt("sctp", socket.AF_INET, STREAM, 132)
attempt("raw", socket.AF_INET, RAW, 1)
attempt("netfilter", socket.AF_NETLINK, RAW, 12)
attempt("unix", socket.AF_UNIX, STREAM)
attempt("tcp", socket.AF_INET, STREAM)
attempt("udp6", socket.AF_INET6, DGRAM)
attempt("route", socket.AF_NETLINK, RAW, 0)`);
    const results = Object.fromEntries(answer.split("\n").map((line) => line.split(" ")));
    const usual = { unix: "ok", tcp: "ok", udp6: "ok", route: "ok" };
    const refused = ["AX25", "KEY", "PACKET", "RDS", "CAN", "TIPC", "BLUETOOTH", "ALG", "VSOCK", "XDP"];
    const strange = Object.fromEntries([...refused, "sctp", "raw", "netfilter"].map((name) => [name, "1"]));
    expect(results).toEqual({ ...usual, ...strange });
  });

  test("device nodes can't be made, a FIFO can", async () => {
    expect(
      await all.sh(
        "ann",
        "cd /workspace; mknod zero c 1 5; mknod disk b 7 0; mkfifo pipe && test -p pipe && echo fifo",
      ),
    ).toBe("fifo\nmknod: zero: Operation not permitted\nmknod: disk: Operation not permitted");
  });
});

describe("9. Setuid programs and places that are read-only", () => {
  test("no setuid program changes the uid, and no capability is left", async () => {
    const setuid = "find / -xdev -perm /6000 -type f 2>/dev/null | head";
    expect(await all.sh("ann", setuid)).toBe("");
    const status = await all.sh(
      "ann",
      "grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -s '\\t ' ' '",
    );
    const { Config } = await (await all.container("ann")).inspect();
    const uid = Config.Labels["cove.uid"];
    const ids = `${uid} ${uid} ${uid} ${uid}`;
    expect(status).toMatch(`Uid: ${ids}\nGid: ${ids}`);
    expect(status.match(/Cap\w+: (\w+)/g)?.every((line) => /: 0+$/.test(line))).toBe(true);
    expect(status).toContain("NoNewPrivs: 1");
    expect(status).toContain("Seccomp: 2");
  });

  test("nothing outside the workspace and /tmp can be written", async () => {
    const places = [
      "/",
      "/etc",
      "/usr/bin",
      "/opt/cove",
      "/skills",
      "/tools",
      "/mnt",
      "/var",
      "/root",
      "/dev",
      "/proc",
      "/sys",
    ];
    for (const place of places) {
      expect(await all.sh("ann", `touch ${place}/planted 2>&1 && echo written; true`), place).not.toContain(
        "written",
      );
    }
    expect(await all.sh("ann", "touch /workspace/a /tmp/b && echo written")).toBe("written");
  });
});

describe("10. What tells about the host, and secrets of the server", () => {
  test("what the kernel tells about the host is empty", async () => {
    for (const file of [
      "kallsyms",
      "cmdline",
      "config.gz",
      "modules",
      "keys",
      "timer_list",
      "partitions",
      "diskstats",
    ]) {
      expect(await all.sh("ann", `test ! -e /proc/${file} || wc -c < /proc/${file}`), file).toMatch(/^0?$/);
    }
    expect(
      await all.sh("ann", "ls -A /sys/firmware /sys/module /sys/block 2>/dev/null | grep -v : | grep ."),
    ).toBe("");
    expect(
      await all.sh("ann", "echo 1 > /proc/sys/kernel/printk; echo b > /proc/sysrq-trigger; true"),
    ).not.toBe("");
  });

  test("disks and devices of the host, and the journals on them, are not there", async () => {
    const places =
      "/proc/fs /proc/bus /proc/irq /proc/driver /sys/block /sys/class /sys/fs/ext4 /sys/devices/system/node";
    expect(await all.sh("ann", `find ${places} -mindepth 1 2>/dev/null | head`)).toBe("");
    expect(await all.sh("ann", "find /sys/devices -mindepth 2 ! -path '/sys/devices/system/*' | head")).toBe(
      "",
    );
  });

  test("nothing changes when somebody else works, but for what docs/security.md names", async () => {
    await all.sh("bob", "true");
    const before = await readable();
    await all.sh(
      "bob",
      "dd if=/dev/urandom of=big bs=1M count=20 2>&1; sync; for n in $(seq 500); do echo $n > f$n; done; rm f* big",
    );
    const after = await readable();
    expect(Object.keys(before).length).toBeGreaterThan(100);
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed).toContain("/proc/stat");
    expect(changed.filter((path) => !(ownAffair.test(path) || sharedKernel.test(path)))).toEqual([]);
  });

  test("what programs ask of the machine is answered as ever", async () => {
    const { NanoCpus } = (await (await all.container("ann")).inspect()).HostConfig;
    expect(NanoCpus).toBe(1e9);
    const asked = await python(`
import multiprocessing, os, subprocess, numpy
assert os.cpu_count() >= 1 and multiprocessing.cpu_count() == os.cpu_count()
assert os.sysconf("SC_NPROCESSORS_CONF") >= os.cpu_count() and len(os.getloadavg()) == 3
assert (numpy.ones((50, 50)) @ numpy.ones((50, 50))).sum() == 125000
for command in (["nproc", "--all"], ["ps", "aux"], ["free", "-m"], ["uptime"], ["lscpu"], ["top", "-bn1"], ["df"],
    ["node", "-e", "const os = require('os'); if (!(os.cpus().length && os.freemem() && os.uptime())) process.exit(1)"]):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
master, slave = os.openpty()
print("answered", os.ttyname(slave)[:9])`);
    expect(asked).toBe("answered /dev/pts/");
  });
});

/** Of the sandbox's own namespaces and cgroup, or new with every look. */
const ownAffair = /^\/sys\/fs\/cgroup\/|^\/proc\/sys\/kernel\/(?:ns_last_pid|random\/uuid)$/;
/** How busy the processors and how full the memory is, altogether; programs depend on it. */
const sharedKernel =
  /^\/proc\/(?:stat|uptime|loadavg|meminfo|cpuinfo|cgroups|self\/net\/(?:sockstat6?|softnet_stat|protocols))$|^\/sys\/devices\/system\/cpu\//;

/** Every file of /proc and /sys that isn't about a process, with what it says. */
async function readable(): Promise<Record<string, string>> {
  return JSON.parse(
    await python(`
import hashlib, json, os, stat
said = {}
def look(root):
    for folder, folders, names in os.walk(root):
        if folder == "/proc": folders[:] = [name for name in folders if not name.isdigit()]
        for path in (os.path.join(folder, name) for name in names):
            try:
                if not stat.S_ISREG(os.lstat(path).st_mode): continue
                file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                try: said[path] = hashlib.sha256(os.read(file, 1 << 18)).hexdigest()[:16]
                finally: os.close(file)
            except OSError: pass
for root in ("/proc", "/proc/self/net", "/sys"): look(root)
print(json.dumps(said))`),
  );
}
