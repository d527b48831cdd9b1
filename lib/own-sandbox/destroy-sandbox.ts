import type { Sandboxes } from "#sandbox/index.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { forgetOwnSkills } from "../skills/notice-own-skills.ts";

/** The container, its workspace, and what is known of the files that were in it. */
export async function destroySandbox(userId: string, all?: Sandboxes): Promise<void> {
  await (all ?? (await sandboxes())).destroy(userId);
  await forgetOwnSkills(userId);
}
