import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { imageFiles, imageTag } from "./image-tag.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "image-tag-"));
  mkdirSync(join(dir, "coved"));
  writeFileSync(join(dir, "Dockerfile"), "FROM scratch\n");
  writeFileSync(join(dir, "coved", "__main__.py"), "pass\n");
});

afterEach(() => rmSync(dir, { recursive: true }));

test("the tag is a name with sixteen hex digits, the same for the same files", () => {
  expect(imageTag(dir)).toMatch(/^cove-sandbox:[0-9a-f]{16}$/);
  expect(imageTag(dir)).toBe(imageTag(dir));
});

test("it changes with contents, names and the executable bit", () => {
  const tags = [imageTag(dir)];
  writeFileSync(join(dir, "Dockerfile"), "FROM scratch\nENV A=1\n");
  tags.push(imageTag(dir));
  renameSync(join(dir, "coved", "__main__.py"), join(dir, "coved", "main.py"));
  tags.push(imageTag(dir));
  chmodSync(join(dir, "coved", "main.py"), 0o755);
  tags.push(imageTag(dir));
  expect(new Set(tags).size).toBe(4);
});

test("other permission bits and modification times leave it alone", () => {
  const before = imageTag(dir);
  chmodSync(join(dir, "Dockerfile"), 0o664);
  writeFileSync(join(dir, "Dockerfile"), "FROM scratch\n");
  expect(imageTag(dir)).toBe(before);
});

test("moving bytes from one file to the next changes it", () => {
  writeFileSync(join(dir, "a"), "xy");
  writeFileSync(join(dir, "b"), "z");
  const before = imageTag(dir);
  writeFileSync(join(dir, "a"), "x");
  writeFileSync(join(dir, "b"), "yz");
  expect(imageTag(dir)).not.toBe(before);
});

test("caches and tests beside the sources don't count", () => {
  const before = imageTag(dir);
  mkdirSync(join(dir, "coved", "__pycache__"));
  writeFileSync(join(dir, "coved", "__pycache__", "main.pyc"), "x");
  writeFileSync(join(dir, "coved", "frames_test.py"), "x");
  writeFileSync(join(dir, "coved", "frames.test.ts"), "x");
  expect(imageTag(dir)).toBe(before);
  expect(imageFiles(dir).map((file) => file.path)).toEqual(["Dockerfile", "coved/__main__.py"]);
});
