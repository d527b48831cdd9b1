// What the engine holds of one installation, and of no other.

import { type ContainerState, type ContainerView, workspaceOf } from "./container.ts";
import { installationLabel } from "./container-spec.ts";
import type { Engine } from "./engine.ts";

export type Found = ContainerView & {
  containerId: string;
  sandboxId: string | undefined;
  role: string | undefined;
};

export async function survey(engine: Engine, installation: string): Promise<Found[]> {
  const filters = JSON.stringify({ label: [`${installationLabel}=${installation}`] });
  const containers = await engine.call((abortSignal) =>
    engine.docker.listContainers({ all: true, filters, abortSignal }),
  );
  return containers.map(({ Id, State, Labels, Mounts }) => ({
    containerId: Id,
    sandboxId: Labels["cove.sandbox"],
    role: Labels["cove.role"],
    state: states[State] ?? "stopped",
    image: Labels["cove.image"],
    workspace: workspaceOf(Mounts),
  }));
}

const states: Record<string, ContainerState> = { running: "running", paused: "paused" };
