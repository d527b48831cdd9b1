// What the engine holds of an installation, for whoever only wants to look and owns none of it.
import type Docker from "dockerode";
import type { MachineState } from "../engine/engine.ts";
import { listContainers } from "./containers.ts";
import { dockerClient } from "./docker-client.ts";

/** By sandbox id; those without a container are missing. */
export async function containerStates(
  docker: Docker,
  installation: string,
): Promise<Map<string, MachineState>> {
  const found = await listContainers(dockerClient(docker), installation);
  return new Map(found.flatMap(({ sandboxId, state }) => (sandboxId ? [[sandboxId, state] as const] : [])));
}
