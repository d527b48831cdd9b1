// The public face of the package. Building the image is a face of its own (build-image.ts): a server that is bundled
// needs none of it.

export type { Completion } from "./completion.ts";
export type { ContainerLimits } from "./container-spec.ts";
export { hostPresets } from "./egress/host-presets.ts";
export { type HostConfiguration, hostRegistries } from "./egress/host-registries.ts";
export { npmRegistry } from "./egress/npm-registry.ts";
export { type Egress, type EgressOptions, openEgress } from "./egress/open-egress.ts";
export type { EgressMode } from "./egress/policy.ts";
export type { Presets } from "./egress/presets.ts";
export * from "./errors.ts";
export type { OpenedFile } from "./file-readable.ts";
export type { FileWritable } from "./file-writable.ts";
export type { ReadOptions, SandboxFiles, WriteOptions, WriteResult } from "./files.ts";
export type { FairLineOptions } from "./lifecycle/fair-line.ts";
export type { HousekeepingOptions } from "./lifecycle/housekeeping.ts";
export type { Logger } from "./logger.ts";
export * from "./names.ts";
export type { DiskOptions, SandboxesOptions } from "./options.ts";
export {
  AlreadyOwned,
  memoryOwnership,
  noUidLeft,
  type Ownership,
  type SandboxRecord,
  type UidRange,
} from "./ownership.ts";
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
} from "./packages.ts";
export type { ProcessList, ProcessSignal, SandboxProcess } from "./processes.ts";
export { Sandbox } from "./sandbox.ts";
export { openSandboxes, type Sandboxes, type SandboxGlance, type SandboxStatus } from "./sandboxes.ts";
export * from "./types.ts";
export type { Quota } from "./workspace.ts";
