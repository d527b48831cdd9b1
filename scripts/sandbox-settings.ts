// What can be wrong about the sandboxes' settings though each value looks right; found at start, not at the first run.
import type Docker from "dockerode";
import type { Env } from "#env.ts";
import { hasImage } from "#sandbox/docker/build/debian-base.ts";
import { createPolicy } from "#sandbox/egress/policy.ts";

/** The policy has the last word on what a host is. */
export function requireUsableAllowlist({ COVE_EGRESS: mode, COVE_EGRESS_ALLOW: allow }: Env): void {
  try {
    createPolicy({ mode, allow, registries: [] });
  } catch (cause) {
    throw new Error(`COVE_EGRESS_ALLOW: ${(cause as Error).message}`, { cause });
  }
}

export async function requireImage(engine: Docker, image: string): Promise<void> {
  if (await hasImage(engine, image)) return;
  throw new Error(
    `COVE_SANDBOX_IMAGE names ${image}, which the engine doesn't have. Pull or build it, or unset the variable.`,
  );
}

export async function requireRuntime(engine: Docker, { COVE_SANDBOX_RUNTIME: name }: Env): Promise<void> {
  if (!name) return;
  const known = Object.keys((await engine.info()).Runtimes ?? {});
  if (known.includes(name)) return;
  throw new Error(
    `COVE_SANDBOX_RUNTIME names ${name}, which the engine doesn't know. It has ${known.join(", ")}.`,
  );
}
