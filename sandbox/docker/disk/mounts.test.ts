import { expect, test } from "vitest";
import { backingFile, mountTable, parseMount, unescapeMount } from "./mounts.ts";

test("the kernel's own mounts are in the table", async () => {
  expect((await mountTable()).get("/proc")).toBe("proc");
});

test("a line of the table gives mount point and source, whatever optional fields it has", () => {
  expect(parseMount("36 35 7:1 / /data/a\\040b rw,nosuid shared:5 master:1 - ext4 /dev/loop1 rw")).toEqual([
    "/data/a b",
    "/dev/loop1",
  ]);
  expect(parseMount("22 1 0:20 / /proc rw - proc proc rw")).toEqual(["/proc", "proc"]);
});

test("escaped characters of a mount point are read back", () => {
  expect(unescapeMount("/a\\040b\\134c")).toBe("/a b\\c");
});

test("a device that isn't there has no file behind it", async () => {
  expect(await backingFile("/dev/loop9999")).toBeUndefined();
});
