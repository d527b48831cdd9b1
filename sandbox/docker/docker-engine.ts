// Sandboxes as containers of one Docker engine.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import type { OpenEngine, SandboxIdentity } from "../engine/engine.ts";
import { containerName, containerSpec } from "./container-spec.ts";
import { containers } from "./containers.ts";
import { dialExec } from "./dial-exec.ts";
import { dockerClient } from "./docker-client.ts";
import { deviceRoots } from "./hidden-paths.ts";
import { openSharedVolume } from "./shared-volume.ts";
import { openWorkspaces } from "./workspaces.ts";

export type DockerEngineOptions = {
  docker: Docker;
  /** Another OCI runtime of the engine, such as gVisor's `runsc`. */
  runtime?: string;
  /** Operations at a time. */
  concurrency?: number;
  /** How long one operation may take before the engine counts as away. */
  timeoutMs?: number;
};

export function dockerEngine({ docker, runtime, ...pace }: DockerEngineOptions): OpenEngine {
  return async (settings) => {
    const { installation, image, dataDir, folders } = settings;
    const client = dockerClient(docker, pace);
    await client.call(() => docker.getImage(image).inspect());

    const helper = { client, installation, image };
    const directory = join(dataDir, "disks");
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const workspaces = await openWorkspaces(helper, { directory, ...settings.disk });
    const shared = await openSharedVolume(helper, folders, join(dataDir, "shared-volume.json"));
    const devices = await deviceRoots();
    const specify = async ({ id, uid }: SandboxIdentity) =>
      containerSpec({
        ...settings,
        ...(runtime && { runtime }),
        id,
        uid,
        workspace: await workspaces.mountOf(id),
        devices,
        sharedVolume: shared.name,
      });
    const machines = containers(client, installation, specify);
    return {
      machines,
      freezer: machines,
      workspaces,
      refreshShared: shared.refresh,
      dial: ({ id, uid }) =>
        client.call((abort) => dialExec(docker, containerName(id), { uid, gid: uid }, abort)),
    };
  };
}
