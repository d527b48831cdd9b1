// SECURITY.md 6 to 11: what code in a sandbox may ask of the kernel, and what it sees of the host.

import { afterAll, beforeAll, expect, test } from "vitest";
import { expectProfile } from "../support/profile.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let all: TestSandboxes;
const canary = "canary-5f1c8e0d";
beforeAll(async () => {
  process.env.COVE_TEST_SECRET = canary;
  all = await testSandboxes();
});
afterAll(() => all.cleanUp());

const python = (code: string, timeoutMs?: number) =>
  all.sh("ann", `python3 - <<'CODE'\n${code}\nCODE`, timeoutMs);

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

test("no setuid program changes the uid, and no capability is left", async () => {
  const setuid = "find / -xdev -perm /6000 -type f 2>/dev/null | head";
  expect(await all.sh("ann", setuid)).toBe("");
  const status = await all.sh(
    "ann",
    "grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -s '\\t ' ' '",
  );
  const { uid } = await uidOf("ann");
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

test("what tells about the host is empty", async () => {
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

test("no engine socket, no secret of the server's in any environment, mount or file", async () => {
  expect(await all.sh("ann", "find / -name 'docker*.sock' -o -name 'containerd*.sock' 2>/dev/null")).toBe("");
  // Bracketed, so that the pattern doesn't find itself among the command lines.
  expect(
    await all.sh(
      "ann",
      `cat /proc/*/environ /proc/*/cmdline /proc/self/mountinfo 2>/dev/null | tr '\\0' '\\n' | grep -a "[${canary[0]}]${canary.slice(1)}"`,
    ),
  ).toBe("");
  expect(await all.sh("ann", "env | cut -d= -f1 | grep -iE 'secret|token|key|database'")).toBe("");
  expect(await all.sh("ann", `grep -c '${all.dataDir}' /proc/self/mountinfo`)).toBe("0");
});

test("every live container is as the profile says, field by field", async () => {
  await all.sh("bob", "true");
  const limits = { memoryBytes: 256 * 2 ** 20, cpus: 1, pids: 128 };
  for (const userId of ["ann", "bob"]) {
    const details = await (await all.container(userId)).inspect();
    expectProfile(details, { ...limits, ...(await uidOf(userId)) });
  }
  expect((await uidOf("ann")).uid).not.toBe((await uidOf("bob")).uid);
});

test("/dev/shm, /tmp and memfd are bounded, and the program is told", async () => {
  expect(
    await all.sh(
      "ann",
      "dd if=/dev/zero of=/dev/shm/a bs=1M count=200 2>&1 | grep -o 'No space left.*'; rm /dev/shm/a",
    ),
  ).toBe("No space left on device");
  expect(
    await all.sh(
      "ann",
      "dd if=/dev/zero of=/tmp/a bs=1M count=200 2>&1 | grep -o 'No space left.*'; rm /tmp/a",
    ),
  ).toBe("No space left on device");
  const sandbox = await all.sandboxes.open("ann");
  const memfd = `python3 -c "
import os
f = os.memfd_create('x')
for _ in range(4000): os.write(f, b'x' * 1048576)"`;
  expect((await sandbox.run(memfd)).status).toBe("oom");
  expect(await all.sh("ann", "echo lives")).toBe("lives");
});

test("/tmp runs out of inodes before the host's memory does", async () => {
  const answer = await python(`
import os
made = 0
try:
    while made < 200000:
        open(f"/tmp/i{made}", "w").close()
        made += 1
except OSError as error:
    print(error.strerror, made < 20000)
os.system("find /tmp -name 'i*' -delete")`);
  expect(answer).toBe("No space left on device True");
});

test("four spinners use one CPU's worth", async () => {
  const spin = `python3 - <<'CODE'
import os, time
end = time.monotonic() + 3
for _ in range(4):
    if os.fork() == 0:
        while time.monotonic() < end: pass
        os._exit(0)
for _ in range(4): os.wait()
spent = os.times()
print(round(spent.children_user + spent.children_system, 2))
CODE`;
  expect(Number(await all.sh("ann", spin))).toBeLessThan(3.6);
});

test("a million file descriptors end with EMFILE", async () => {
  const answer = await python(`
import os
files = []
try:
    while len(files) < 1000000: files.append(os.open("/dev/null", 0))
except OSError as error:
    print(error.strerror, len(files) < 10000)`);
  expect(answer).toBe("Too many open files True");
});

async function uidOf(userId: string): Promise<{ uid: number }> {
  const details = await (await all.container(userId)).inspect();
  return { uid: Number(details.Config.Labels["cove.uid"]) };
}
