import { expect, test } from "vitest";
import { seccompProfile } from "./seccomp.ts";

const { defaultAction, syscalls } = seccompProfile();
const rulesFor = (name: string) => syscalls.filter((rule) => rule.names.includes(name));

test("a system call that isn't named is refused", () => {
  expect(defaultAction).toBe("SCMP_ACT_ERRNO");
});

const missing = `
  io_uring_setup io_uring_enter io_uring_register ptrace process_vm_readv process_vm_writev bpf keyctl
  add_key request_key perf_event_open unshare setns mount umount2 pivot_root chroot fsopen fsmount
  move_mount open_tree mount_setattr userfaultfd kexec_load init_module finit_module open_by_handle_at
  name_to_handle_at pidfd_getfd fanotify_init seccomp syslog acct swapon reboot sethostname
  settimeofday vmsplice
`;

test.each(missing.trim().split(/\s+/))("%s is not allowed", (name) => {
  expect(rulesFor(name)).toEqual([]);
});

test("no name is empty or listed twice among the plain calls", () => {
  const names = syscalls[0]?.names ?? [];
  expect(names.filter((name) => !/^[a-z0-9_]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test("clone is allowed without namespace flags only, and clone3 pretends not to exist", () => {
  const refusedFlags = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
  expect(rulesFor("clone")).toHaveLength(1);
  const [argument] = rulesFor("clone")[0]?.args ?? [];
  expect(argument).toMatchObject({ index: 0, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" });
  for (const flag of refusedFlags) expect((argument?.value ?? 0) & flag).toBe(flag);
  expect(rulesFor("clone3")).toEqual([{ names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38 }]);
});

test("sockets are of four families", () => {
  const families = rulesFor("socket").map((rule) => rule.args?.[0]?.value);
  expect(new Set(families)).toEqual(new Set([1, 2, 10, 16]));
  expect(rulesFor("socket").every((rule) => rule.args?.[0]?.op === "SCMP_CMP_EQ")).toBe(true);
});

test("mknod makes pipes, files and sockets, never devices", () => {
  const types = rulesFor("mknod").map((rule) => rule.args?.[0]?.valueTwo);
  expect(types).toEqual([0, 0o010000, 0o100000, 0o140000]);
});
