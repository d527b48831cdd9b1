// The system calls a sandbox may make: an allow-list, narrower than the engine's default profile.
// What is missing fails with EPERM, so programs see a refusal, never a kill. Only the native
// architecture is allowed: 32-bit entry points would bypass the filters on arguments.

type Argument = { index: number; value: number; valueTwo?: number; op: string };
type Rule = { names: string[]; action: string; args?: Argument[]; errnoRet?: number };

export type SeccompProfile = { defaultAction: string; syscalls: Rule[] };

export function seccompProfile(): SeccompProfile {
  return {
    defaultAction: "SCMP_ACT_ERRNO",
    syscalls: [
      allow(Object.values(plainCalls).flatMap((names) => names.split(/\s+/))),
      ...threadsWithoutNamespaces(),
      ...socketFamilies(),
      ...fileNodesWithoutDevices(),
      ...executionDomains(),
      // prctl without PR_SET_SECCOMP: a filter of its own is one more way into the kernel's BPF.
      allow(["prctl"], [{ index: 0, value: 22, op: "SCMP_CMP_NE" }]),
    ],
  };
}

/** Grouped by what a program wants to do. */
const plainCalls = {
  files: `access faccessat faccessat2 chdir fchdir chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown close
    close_range copy_file_range creat dup dup2 dup3 fadvise64 fallocate fcntl fdatasync flock fstat fstatfs fsync
    ftruncate futimesat getcwd getdents getdents64 ioctl lseek lstat link linkat mkdir mkdirat newfstatat open openat
    openat2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv rename renameat
    renameat2 rmdir sendfile splice stat statfs statx symlink symlinkat sync sync_file_range syncfs tee truncate umask
    unlink unlinkat utime utimensat utimes write writev`,
  attributes: `fgetxattr flistxattr fremovexattr fsetxattr getxattr lgetxattr listxattr llistxattr lremovexattr
    lsetxattr removexattr setxattr`,
  waiting: `epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 inotify_add_watch
    inotify_init inotify_init1 inotify_rm_watch pipe pipe2 poll ppoll pselect6 select signalfd signalfd4 timerfd_create
    timerfd_gettime timerfd_settime`,
  memory: `brk get_robust_list madvise membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap msync
    munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect set_robust_list`,
  processes: `execve execveat exit exit_group fork vfork wait4 waitid kill tkill tgkill pidfd_open pidfd_send_signal
    getpgid getpgrp getpid getppid getpriority getrlimit getrusage getsid gettid prlimit64 setpgid setpriority setrlimit
    setsid times alarm getitimer setitimer pause restart_syscall rseq set_tid_address arch_prctl`,
  signals: `rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
    rt_tgsigqueueinfo sigaltstack`,
  identity: `capget capset getegid geteuid getgid getgroups getresgid getresuid getuid setfsgid setfsuid setgid
    setgroups setregid setresgid setresuid setreuid setuid`,
  scheduling: `futex futex_waitv futex_wake futex_wait futex_requeue getcpu ioprio_get ioprio_set
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
    sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield`,
  clocks: `clock_getres clock_gettime clock_nanosleep gettimeofday nanosleep time timer_create timer_delete
    timer_getoverrun timer_gettime timer_settime`,
  sockets: `accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg
    sendmsg sendto setsockopt shutdown`,
  sharedMemory: `shmat shmctl shmdt shmget semctl semget semop semtimedop`,
  system: `getrandom sysinfo uname`,
};

function allow(names: string[], args?: Argument[]): Rule {
  return { names, action: "SCMP_ACT_ALLOW", ...(args && { args }) };
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET together. */
const namespaceFlags = 0x7e020000;

function threadsWithoutNamespaces(): Rule[] {
  return [
    allow(["clone"], [{ index: 0, value: namespaceFlags, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }]),
    // Its flags are behind a pointer, out of a filter's sight. ENOSYS makes the C library fall back to clone.
    { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38 },
  ];
}

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;

function socketFamilies(): Rule[] {
  const protocols = [0, 1, 6, 17, 58]; // default, ICMP, TCP, UDP, ICMPv6: the others load kernel modules.
  return [
    allow(["socket", "socketpair"], [equals(0, AF_UNIX)]),
    ...[AF_INET, AF_INET6].flatMap((family) =>
      protocols.map((protocol) => allow(["socket"], [equals(0, family), equals(2, protocol)])),
    ),
    allow(["socket"], [equals(0, AF_NETLINK), equals(2, 0)]), // NETLINK_ROUTE, which lists interfaces.
  ];
}

const S_IFMT = 0o170000;
const fileTypes = [0, 0o010000, 0o100000, 0o140000]; // unset, FIFO, regular, socket

function fileNodesWithoutDevices(): Rule[] {
  const ofType = (index: number, type: number) => [
    { index, value: S_IFMT, valueTwo: type, op: "SCMP_CMP_MASKED_EQ" },
  ];
  return fileTypes.flatMap((type) => [
    allow(["mknod"], ofType(1, type)),
    allow(["mknodat"], ofType(2, type)),
  ]);
}

function executionDomains(): Rule[] {
  return [0, 0xffffffff].map((persona) => allow(["personality"], [equals(0, persona)])); // plain Linux, and asking
}

function equals(index: number, value: number): Argument {
  return { index, value, op: "SCMP_CMP_EQ" };
}
