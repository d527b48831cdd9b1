// Gives the workspaces of a copied installation names of their own, so that nothing of the original's is ever meant by
// them. Disk images lie in the copy's own directory and get a second name; volumes are at the engine, and are copied there.

import { link, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RenamedSandbox, RenewOptions } from "../engine/engine.ts";
import { listContainers } from "./containers.ts";
import { imageDisks } from "./disk/image-disks.ts";
import { volumeDisks } from "./disk/volume-disks.ts";
import type { DockerClient } from "./docker-client.ts";
import { runHelper } from "./helper-container.ts";

export async function renewWorkspaces(
  client: DockerClient,
  sandboxes: RenamedSandbox[],
  options: RenewOptions,
) {
  const { from, to } = options;
  const directory = resolve(options.dataDir, "disks");
  const images = imageDisks({ directory, bytes: 0 });
  const old = volumeDisks({ client, installation: from, image: "" });

  /** Of our own, left by a server that was killed: two mounts of one image would destroy it. */
  async function endContainers(): Promise<void> {
    for (const { name, sandboxId, workspace } of await listContainers(client, from)) {
      if (sandboxId === undefined || workspace !== images.mountSettings(sandboxId).Source) continue;
      const container = client.docker.getContainer(name);
      await client.call((abortSignal) => container.remove({ force: true, abortSignal }), {
        toleratedCodes: [404],
      });
    }
    for (const id of await images.attached()) await images.detach(id);
  }

  async function copyVolume({ id, newId, uid }: RenamedSandbox): Promise<void> {
    const helper = { client, installation: to, image: await options.image() };
    const volumes = volumeDisks(helper);
    await volumes.create(newId, uid);
    await runHelper(helper, {
      script: "cp -a /from/. /to/",
      mounts: [
        { ...old.mountSettings(id), Target: "/from", ReadOnly: true },
        { ...volumes.mountSettings(newId), Target: "/to" },
      ],
    });
  }

  await endContainers();
  for (const sandbox of sandboxes) {
    if (await images.exists(sandbox.id)) await link(imageOf(sandbox.id), imageOf(sandbox.newId));
    else if (await old.exists(sandbox.id)) await copyVolume(sandbox);
  }

  /** The old names of what is in the copy's directory go; volumes of the old names are the original's. */
  async function forget(): Promise<void> {
    for (const { id } of sandboxes) {
      if (!(await images.exists(id))) continue;
      await rm(imageOf(id));
      // Who copies a running installation copies what was mounted, too, as plain files that nothing uses.
      await rm(join(directory, id), { recursive: true, force: true });
    }
  }

  function imageOf(id: string): string {
    return join(directory, `${id}.img`);
  }

  return { forget };
}
