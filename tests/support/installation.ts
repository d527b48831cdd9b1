// An installation of a test's own: engine, image, a data directory and an id nobody else has. What it made on the
// engine carries that id, so cleaning up finds all of it and nothing else.

import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { hostCommand } from "#sandbox/docker/disk/host-command.ts";
import { unescapeMount } from "#sandbox/docker/disk/mounts.ts";
import { dockerClient } from "#sandbox/docker/docker-client.ts";

export type Installation = Awaited<ReturnType<typeof newInstallation>>;

export async function newInstallation(docker = new Docker(), image?: string) {
  const installation = `test-${randomBytes(6).toString("hex")}`;
  const dataDir = await mkdtemp(join(tmpdir(), "cove-test-"));
  // If this test is cut off, `npm test` finds by this what it left on the engine.
  await writeFile(join(dataDir, "installation"), installation);
  const tag = image ?? process.env.COVE_SANDBOX_IMAGE ?? (await ensureImage(docker)).tag;
  const filters = JSON.stringify({ label: [`cove=${installation}`] });

  async function containers() {
    return docker.listContainers({ all: true, filters });
  }

  async function volumes() {
    return (await docker.listVolumes({ filters })).Volumes ?? [];
  }

  async function mounts() {
    const table = await readFile("/proc/self/mountinfo", "utf8");
    const points = table.split("\n").map((line) => unescapeMount(line.split(" ")[4] ?? ""));
    return points.filter((point) => point.startsWith(`${dataDir}/`));
  }

  async function cleanUp() {
    for (const { Id } of await containers()) await docker.getContainer(Id).remove({ force: true });
    for (const { Name } of await volumes()) await docker.getVolume(Name).remove();
    for (const point of await mounts()) await hostCommand("umount", [point]);
    await rm(dataDir, { recursive: true, force: true });
  }

  return {
    docker,
    client: dockerClient(docker),
    installation,
    dataDir,
    image: tag,
    containers,
    volumes,
    mounts,
    cleanUp,
  };
}
