// The public face of the package. Building the image is a face of its own (docker/build/build-image.ts): a server that is
// bundled needs none of it.

export { connectEngine } from "./docker/connect-engine.ts";
export { dockerEngine } from "./docker/docker-engine.ts";
export { freeBytes } from "./docker/workspaces.ts";
export { hostPresets } from "./egress/host-presets.ts";
export { hostRegistries } from "./egress/host-registries.ts";
export { npmRegistry } from "./egress/npm-registry.ts";
export { openEgress } from "./egress/open-egress.ts";
export { createPolicy } from "./egress/policy.ts";
export { Refusal } from "./egress/refusal.ts";
export { type Address, dnsLookup, resolveChecked, systemLookup } from "./egress/resolve.ts";
export type { EngineConnection, InstallationOwner } from "./engine/engine.ts";
export * from "./errors.ts";
export type { FileWritable } from "./files/file-writable.ts";
export type { SandboxFiles } from "./files/files.ts";
export * from "./files/names.ts";
export type { Logger } from "./logger.ts";
export type { SandboxesOptions } from "./options.ts";
export {
  AlreadyOwned,
  memoryOwnership,
  noUidLeft,
  type Ownership,
  type SandboxRecord,
} from "./ownership.ts";
export { queuePerKey } from "./queue.ts";
export type { Completion } from "./run/completion.ts";
export type { PackageOutcome } from "./run/packages.ts";
export { Sandbox } from "./sandbox.ts";
export { openSandboxes, type Sandboxes, type SandboxStatus } from "./sandboxes.ts";
export * from "./types.ts";
