// A workspace without a hard quota: a plain volume, wherever the engine runs. A watchdog looks at its size.

import type Docker from "dockerode";
import type { MountSettings } from "dockerode";
import { installationLabel } from "../container-spec.ts";
import { runHelper } from "../helper-container.ts";

export type VolumeDisks = ReturnType<typeof volumeDisks>;

export function volumeDisks(engine: { docker: Docker; installation: string; image: string }) {
  const { docker, installation } = engine;

  async function exists(id: string): Promise<boolean> {
    return docker
      .getVolume(volumeName(id))
      .inspect()
      .then(() => true, unlessMissing);
  }

  async function create(id: string, uid: number): Promise<void> {
    const Labels = { [installationLabel]: installation, "cove.role": "workspace", "cove.sandbox": id };
    await docker.createVolume({ Name: volumeName(id), Labels });
    await runHelper(engine, {
      script: `chown ${uid}:${uid} /volume && chmod 755 /volume`,
      mounts: [{ ...mountSettings(id), Target: "/volume" }],
    });
  }

  async function remove(id: string): Promise<void> {
    if (await exists(id)) await docker.getVolume(volumeName(id)).remove();
  }

  async function list(): Promise<string[]> {
    const filters = { label: [`${installationLabel}=${installation}`, "cove.role=workspace"] };
    const { Volumes } = await docker.listVolumes({ filters: JSON.stringify(filters) });
    return (Volumes ?? []).map((volume) => volume.Labels?.["cove.sandbox"]).filter((id) => id !== undefined);
  }

  function mountSettings(id: string): MountSettings {
    const VolumeOptions = { NoCopy: true, Labels: {}, DriverConfig: { Name: "local", Options: {} } };
    return { Type: "volume", Source: volumeName(id), Target: "/workspace", VolumeOptions };
  }

  return { exists, create, remove, list, mountSettings };
}

function unlessMissing(error: Error & { statusCode?: number }): false {
  if (error.statusCode === 404) return false;
  throw error;
}

function volumeName(id: string): string {
  return `cove-${id}-workspace`;
}
