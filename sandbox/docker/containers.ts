// Sandboxes' machines as containers of Docker: each operation is idempotent and says nothing about why it is done.

import type Docker from "dockerode";
import type { ContainerCreateOptions } from "dockerode";
import type {
  Freezer,
  ListedMachine,
  MachineState,
  Machines,
  MachineView,
  SandboxIdentity,
} from "../engine/engine.ts";
import { containerName, installationLabel } from "./container-spec.ts";
import type { DockerClient } from "./docker-client.ts";

/** `specify` says everything about the container of a sandbox. */
export function containers(
  client: DockerClient,
  installation: string,
  specify: (sandbox: SandboxIdentity) => Promise<ContainerCreateOptions>,
): Machines & Freezer {
  const container = (id: string) => client.docker.getContainer(containerName(id));
  const force = { force: true, v: false };

  async function remove(name: string): Promise<void> {
    const leftover = client.docker.getContainer(name);
    await client.call((abortSignal) => leftover.remove({ ...force, abortSignal }), { toleratedCodes: [404] });
  }

  return {
    async look(id): Promise<MachineView> {
      const details = await client.call((abortSignal) => container(id).inspect({ abortSignal }), {
        toleratedCodes: [404],
      });
      if (!details) return { state: "absent", image: undefined };
      const workspace = workspaceOf(details.Mounts);
      return { state: stateOf(details.State), image: details.Config.Image, workspace };
    },

    async create(sandbox, priority, mayReplace) {
      const options = await specify(sandbox);
      const make = (abortSignal: AbortSignal) => client.docker.createContainer({ ...options, abortSignal });
      if (await client.call(make, { priority, toleratedCodes: [409] })) return;
      await mayReplace();
      await remove(containerName(sandbox.id));
      await client.call(make, { priority });
    },

    async start(id, priority) {
      const options = { priority, toleratedCodes: [304] };
      await client.call((abortSignal) => container(id).start({ abortSignal }), options);
    },

    async pause(id) {
      await client.call((abortSignal) => container(id).pause({ abortSignal }), { priority: "background" });
    },

    async resume(id) {
      await client.call((abortSignal) => container(id).unpause({ abortSignal }));
    },

    async stop(id) {
      const options = { toleratedCodes: [304, 404] };
      await client.call((abortSignal) => container(id).stop({ t: 0, abortSignal }), options);
    },

    async kill(id) {
      const options = { toleratedCodes: [404, 409] };
      await client.call((abortSignal) => container(id).kill({ abortSignal }), options);
    },

    remove: (id) => remove(containerName(id)),
    list: () => listContainers(client, installation),
    removeListed: ({ name }) => remove(name),
  };
}

/** What the engine holds of one installation, and of no other. */
export async function listContainers(client: DockerClient, installation: string): Promise<ListedMachine[]> {
  const filters = JSON.stringify({ label: [`${installationLabel}=${installation}`] });
  const all = await client.call((abortSignal) =>
    client.docker.listContainers({ all: true, filters, abortSignal }),
  );
  return all.map(({ Id, State, Labels, Mounts }) => ({
    name: Id,
    sandboxId: Labels["cove.sandbox"],
    role: Labels["cove.role"],
    state: listedStates[State] ?? "stopped",
    image: Labels["cove.image"],
    workspace: workspaceOf(Mounts),
  }));
}

const listedStates: Record<string, MachineState> = { running: "running", paused: "paused" };

function workspaceOf(
  mounts: { Type?: string; Name?: string; Source: string; Destination: string }[],
): string | undefined {
  const mount = mounts.find(({ Destination }) => Destination === "/workspace");
  return mount?.Type === "volume" ? mount.Name : mount?.Source;
}

function stateOf({
  Paused,
  Running,
}: Pick<Docker.ContainerInspectInfo["State"], "Paused" | "Running">): MachineState {
  if (Paused) return "paused";
  return Running ? "running" : "stopped";
}
