import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deviceRoots, maskedPaths } from "./hidden-paths.ts";

test("disks, journals and the host's devices are hidden, processors are not", () => {
  const hidden = maskedPaths(["pci0000:80"]);
  expect(hidden).toEqual(
    expect.arrayContaining([
      "/proc/fs",
      "/proc/bus",
      "/proc/sys/fs/inode-nr",
      "/sys/devices/pci0000:80",
      "/sys/devices/virtual",
    ]),
  );
  expect(hidden.filter((path) => "/sys/devices/system/cpu/online".startsWith(`${path}/`))).toEqual([]);
  expect(new Set(hidden).size).toBe(hidden.length);
});

test("a host's devices go by the names they have there, beside the usual ones", async () => {
  const directory = await mkdtemp(join(tmpdir(), "cove-devices-"));
  for (const name of ["system", "pci0000:40", "pci0000:00"]) await mkdir(join(directory, name));
  expect(await deviceRoots(directory)).toEqual([
    "LNXSYSTM:00",
    "pci0000:00",
    "pci0000:40",
    "platform",
    "pnp0",
    "virtual",
  ]);
  await rm(directory, { recursive: true });
  expect(await deviceRoots(directory)).toContain("pci0000:00");
});
