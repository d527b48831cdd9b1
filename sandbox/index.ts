// The public face of the package. Building the image is a face of its own (build-image.ts): a server that is bundled
// needs none of it.

export type { Completion } from "./completion.ts";
export { hostPresets } from "./egress/host-presets.ts";
export { hostRegistries } from "./egress/host-registries.ts";
export { npmRegistry } from "./egress/npm-registry.ts";
export { openEgress } from "./egress/open-egress.ts";
export * from "./errors.ts";
export type { FileWritable } from "./file-writable.ts";
export type { SandboxFiles } from "./files.ts";
export type { Logger } from "./logger.ts";
export * from "./names.ts";
export type { SandboxesOptions } from "./options.ts";
export {
  AlreadyOwned,
  memoryOwnership,
  noUidLeft,
  type Ownership,
  type SandboxRecord,
} from "./ownership.ts";
export type { PackageOutcome } from "./packages.ts";
export { Sandbox } from "./sandbox.ts";
export { openSandboxes, type Sandboxes, type SandboxStatus } from "./sandboxes.ts";
export * from "./types.ts";
