// What package-lock.json promises about every package from a registry: npm checks what it fetches against its hash.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

interface Entry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
}

// Builds for other platforms that the registry behind this lockfile doesn't have in this version, so that nobody could read
// their hash. Each goes from here with the next version it is there in.
const WITHOUT_HASH = [
  ...["android-arm64", "android-x64", "darwin-arm64", "darwin-x64", "win32-arm64", "win32-x64"].map(
    (platform) => `@biomejs/cli-${platform}`,
  ),
  ...["darwin-arm64", "darwin-x64", "win32-arm64-msvc", "win32-x64-msvc"].map(
    (platform) => `@next/swc-${platform}`,
  ),
  ...["android-arm64", "darwin-arm64", "darwin-x64", "freebsd-x64", "linux-arm-gnueabihf"].map(
    (platform) => `@tailwindcss/oxide-${platform}`,
  ),
  ...["wasm32-wasi", "win32-arm64-msvc", "win32-x64-msvc"].map(
    (platform) => `@tailwindcss/oxide-${platform}`,
  ),
];

const file = path.resolve(import.meta.dirname, "..", "package-lock.json");
const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> };
const fromRegistry = Object.entries(packages).filter(([place, { link }]) => place !== "" && !link);

test("every package of the lockfile has its hash, save those of other platforms that can't be had", () => {
  expect(fromRegistry.length).toBeGreaterThan(500);
  const without = fromRegistry.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  expect(without.map(([place]) => place.replace(/^.*node_modules\//, "")).sort()).toEqual(
    WITHOUT_HASH.toSorted(),
  );
  for (const [place, { optional, os, cpu }] of without) {
    expect({ place, optional }).toEqual({ place, optional: true });
    const isLinux = os?.includes("linux") && (cpu?.includes("x64") || cpu?.includes("arm64"));
    expect({ place, isLinux: isLinux ?? false }).toEqual({ place, isLinux: false });
  }
});

test("the lockfile names no registry: npm asks the one it is told to", () => {
  expect(fromRegistry.filter(([, { resolved }]) => resolved).map(([place]) => place)).toEqual([]);
});
