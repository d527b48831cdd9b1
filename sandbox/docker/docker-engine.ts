// Sandboxes as containers of one Docker engine.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import type {
  Engine,
  EngineConnection,
  EngineSettings,
  MachineState,
  SandboxIdentity,
} from "../engine/engine.ts";
import { engineVersion } from "./connect-engine.ts";
import { containerName, containerSpec } from "./container-spec.ts";
import { containers, listContainers } from "./containers.ts";
import { dialExec } from "./dial-exec.ts";
import { dockerClient } from "./docker-client.ts";
import { deviceRoots } from "./hidden-paths.ts";
import { forgetOwner, recordOwner } from "./installation-owner.ts";
import { renewWorkspaces } from "./renew-workspaces.ts";
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

export function dockerEngine({ docker, runtime, ...pace }: DockerEngineOptions): EngineConnection {
  const client = dockerClient(docker, pace);

  async function open(settings: EngineSettings): Promise<Engine> {
    const { installation, image, dataDir, folders } = settings;
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
  }

  async function machineStates(installation: string): Promise<Map<string, MachineState>> {
    const machines = await listContainers(client, installation);
    return new Map(
      machines.flatMap(({ sandboxId, state }) => (sandboxId ? [[sandboxId, state] as const] : [])),
    );
  }

  return {
    version: () => engineVersion(docker),
    recordOwner: (installation, owner) => recordOwner(client, installation, owner),
    forgetOwner: (installation) => forgetOwner(client, installation),
    machineStates,
    renewWorkspaces: (sandboxes, options) => renewWorkspaces(client, sandboxes, options),
    open,
  };
}
