// What the engine holds of an installation, for whoever only wants to look and owns none of it.
import type Docker from "dockerode";
import type { ContainerState } from "./container.ts";
import { engineOf } from "./engine.ts";
import { survey } from "./survey.ts";

/** By sandbox id; those without a container are missing. */
export async function containerStates(
  docker: Docker,
  installation: string,
): Promise<Map<string, ContainerState>> {
  const found = await survey(engineOf(docker), installation);
  return new Map(found.flatMap(({ sandboxId, state }) => (sandboxId ? [[sandboxId, state] as const] : [])));
}
