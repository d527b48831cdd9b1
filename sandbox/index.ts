// The public face of the package. Building the image is a face of its own (docker/build/build-image.ts): a server that is bundled
// needs none of it.

export { connectEngine } from "./docker/connect-engine.ts";
export { freeBytes } from "./docker/disk/host-reserve.ts";
export { type DockerEngineOptions, dockerEngine } from "./docker/docker-engine.ts";
export { hostPresets } from "./egress/host-presets.ts";
export { type HostConfiguration, hostRegistries } from "./egress/host-registries.ts";
export { npmRegistry } from "./egress/npm-registry.ts";
export { type Egress, type EgressOptions, openEgress } from "./egress/open-egress.ts";
export { createPolicy, type EgressMode } from "./egress/policy.ts";
export type { Presets } from "./egress/presets.ts";
export { Refusal } from "./egress/refusal.ts";
export { type Address, dnsLookup, resolveChecked, systemLookup } from "./egress/resolve.ts";
export type {
  DiskOptions,
  EngineConnection,
  InstallationOwner,
  MachineLimits,
  MachineState,
  Quota,
} from "./engine/engine.ts";
export * from "./errors.ts";
export type { OpenedFile } from "./files/file-readable.ts";
export type { FileWritable } from "./files/file-writable.ts";
export type { ReadOptions, SandboxFiles, WriteOptions, WriteResult } from "./files/files.ts";
export * from "./files/names.ts";
export type { FairLineOptions } from "./lifecycle/fair-line.ts";
export type { HousekeepingOptions } from "./lifecycle/housekeeping.ts";
export type { Logger } from "./logger.ts";
export type { SandboxesOptions } from "./options.ts";
export {
  AlreadyOwned,
  memoryOwnership,
  noUidLeft,
  type Ownership,
  type SandboxRecord,
  type UidRange,
} from "./ownership.ts";
export type { Completion } from "./run/completion.ts";
export {
  type EnvironmentType,
  type InstalledPackage,
  type InstallOptions,
  type InstallResult,
  type PackageCheck,
  type PackageOutcome,
  type PythonEnvironment,
  readInstall,
  type SandboxPackages,
} from "./run/packages.ts";
export type { ProcessList, ProcessSignal, SandboxProcess } from "./run/processes.ts";
export { Sandbox } from "./sandbox.ts";
export { openSandboxes, type Sandboxes, type SandboxGlance, type SandboxStatus } from "./sandboxes.ts";
export * from "./types.ts";
