import { expect, test } from "vitest";
import { mountPoints, unescapeMount } from "./mounts.ts";

test("the kernel's own mounts are among the mount points", async () => {
  expect(await mountPoints()).toContain("/proc");
});

test("escaped characters of a mount point are read back", () => {
  expect(unescapeMount("/a\\040b\\134c")).toBe("/a b\\c");
});
