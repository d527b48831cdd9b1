// A workspace without a hard quota: a plain volume, wherever the engine runs. A watchdog looks at its size.

import type { MountSettings } from "dockerode";
import { installationLabel } from "../container-spec.ts";
import { type Helper, runHelper } from "../helper-container.ts";

export function volumeDisks(helper: Helper) {
  const { client, installation } = helper;
  const volumeOf = (id: string) => client.docker.getVolume(volumeName(id));

  async function exists(id: string): Promise<boolean> {
    const look = (abortSignal: AbortSignal) => volumeOf(id).inspect({ abortSignal });
    return (await client.call(look, { toleratedCodes: [404] })) !== undefined;
  }

  async function create(id: string, uid: number): Promise<void> {
    const Labels = { [installationLabel]: installation, "cove.role": "workspace", "cove.sandbox": id };
    const options = { Name: volumeName(id), Labels };
    await client.call((abortSignal) => client.docker.createVolume({ ...options, abortSignal }));
    await runHelper(helper, {
      script: `chown ${uid}:${uid} /volume && chmod 755 /volume`,
      mounts: [{ ...mountSettings(id), Target: "/volume" }],
    });
  }

  async function remove(id: string): Promise<void> {
    await client.call((abortSignal) => volumeOf(id).remove({ abortSignal }), { toleratedCodes: [404] });
  }

  async function list(): Promise<string[]> {
    const filters = JSON.stringify({
      label: [`${installationLabel}=${installation}`, "cove.role=workspace"],
    });
    const { Volumes } = await client.call((abortSignal) =>
      client.docker.listVolumes({ filters, abortSignal }),
    );
    return (Volumes ?? []).map((volume) => volume.Labels?.["cove.sandbox"]).filter((id) => id !== undefined);
  }

  function mountSettings(id: string): MountSettings {
    const VolumeOptions = { NoCopy: true, Labels: {}, DriverConfig: { Name: "local", Options: {} } };
    return { Type: "volume", Source: volumeName(id), Target: "/workspace", VolumeOptions };
  }

  return { exists, create, remove, list, mountSettings };
}

function volumeName(id: string): string {
  return `cove-${id}-workspace`;
}
