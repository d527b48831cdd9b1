import type { Sandbox } from "#sandbox/index.ts";
import { log } from "../log.ts";

/** Tells a sandbox which of its results are on record, so that it can forget them. */
export async function collect(sandbox: Sandbox, executionIds: string[]): Promise<void> {
  try {
    await sandbox.collect(...executionIds);
  } catch (err) {
    log().debug({ err }, "recorded runs are forgotten by their sandbox later");
  }
}
