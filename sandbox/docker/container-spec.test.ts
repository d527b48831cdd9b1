import { expect, test } from "vitest";
import { type ContainerSpec, containerSpec } from "./container-spec.ts";

const spec: ContainerSpec = {
  id: "0192",
  installation: "test",
  image: "cove-sandbox:abc",
  uid: 20_007,
  limits: {
    memoryBytes: 2 ** 30,
    cpus: 1.5,
    pids: 256,
    openFiles: 4096,
    tmpBytes: 64 * 2 ** 20,
    shmBytes: 2 ** 20,
  },
  workspace: { Type: "volume", Source: "somebody's", Target: "/elsewhere" },
  sharedVolume: "cove-test-shared",
};
const host = (changes: Partial<ContainerSpec> = {}) =>
  containerSpec({ ...spec, ...changes }).HostConfig ?? {};

test("a container is named after its sandbox and labelled with its installation", () => {
  const { name, Labels } = containerSpec(spec);
  expect(name).toBe("cove-0192");
  expect(Labels).toMatchObject({ cove: "test", "cove.role": "sandbox", "cove.sandbox": "0192" });
});

test("it runs as the sandbox's own user and group, by number", () => {
  expect(containerSpec(spec).User).toBe("20007:20007");
});

test("it has no capability, no network, no writable root and no way to more privileges", () => {
  expect(host()).toMatchObject({
    CapDrop: ["ALL"],
    NetworkMode: "none",
    ReadonlyRootfs: true,
    Privileged: false,
    IpcMode: "private",
    CgroupnsMode: "private",
  });
  expect(host().CapAdd).toBeUndefined();
  expect(host().SecurityOpt).toContain("no-new-privileges");
});

test("swap gives it no memory beyond the limit", () => {
  expect(host().MemorySwap).toBe(host().Memory);
  expect(host().Memory).toBe(2 ** 30);
});

test("parts of a CPU are counted in billionths", () => {
  expect(host().NanoCpus).toBe(1_500_000_000);
});

test("the workspace is mounted at /workspace whatever its settings say, the shared volume read-only", () => {
  const mounts = host().Mounts ?? [];
  expect(mounts.map(({ Source, Target, ReadOnly }) => [Source, Target, ReadOnly])).toEqual([
    ["somebody's", "/workspace", false],
    ["cove-test-shared", "/opt/cove", true],
  ]);
});

test("/tmp is bounded in bytes and inodes and allows programs, the daemon's directory is private", () => {
  const tmpfs = host().Tmpfs ?? {};
  expect(tmpfs["/tmp"]).toMatch(/\bexec\b.*\bsize=67108864\b.*\bnr_inodes=16384\b/);
  expect(tmpfs["/run/cove"]).toMatch(/\bmode=0700,uid=20007,gid=20007\b/);
});

test("another runtime is used only when one is named", () => {
  expect(host()).not.toHaveProperty("Runtime");
  expect(host({ runtime: "runsc" }).Runtime).toBe("runsc");
});
