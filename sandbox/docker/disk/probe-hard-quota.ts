// Whether a disk image mounted by this process is what a container of the engine gets to see. It is so only
// for root on the engine's own host, and only a real mount and a real container tell for sure.

import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Helper, runHelper } from "../helper-container.ts";
import { imageDisks } from "./image-disks.ts";

/** Resolves to undefined when hard quotas work, otherwise to the reason why not, as a sentence. */
export async function probeHardQuota(helper: Helper, directory: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "The server doesn't run as root, so it can't mount disk images.";
  const disks = imageDisks({ directory, bytes: 8 * 2 ** 20 });
  const id = `probe-${randomUUID()}`;
  const token = randomUUID();
  try {
    await disks.create(id, 0);
    await disks.attach(id);
    await writeFile(join(directory, id, "workspace", "token"), token);
    const mounts = [{ ...disks.mountSettings(id), Target: "/probe" }];
    const contents = await runHelper(helper, { script: "cat /probe/token", mounts });
    return contents === token
      ? undefined
      : "The engine runs on another host, which doesn't see this one's mounts.";
  } catch (error) {
    const { cause, message } = error as Error;
    return `A disk image can't be mounted into a container: ${cause instanceof Error ? cause.message : message}`;
  } finally {
    await disks.remove(id);
  }
}
