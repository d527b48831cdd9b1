// One sandbox's container at the engine: each operation is idempotent and says nothing about why it is done.

import type Docker from "dockerode";
import type { ContainerCreateOptions } from "dockerode";
import { containerName } from "./container-spec.ts";
import type { Engine } from "./engine.ts";
import type { Priority } from "./engine-queue.ts";

export type ContainerState = "absent" | "stopped" | "running" | "paused";
export type ContainerView = {
  state: ContainerState;
  image: string | undefined;
  /** What is mounted at /workspace: a directory of the engine's host, or a volume's name. */
  workspace?: string | undefined;
};

export type Container = ReturnType<typeof containerOf>;

export function containerOf(engine: Engine, id: string) {
  const container = engine.docker.getContainer(containerName(id));

  async function look(): Promise<ContainerView> {
    const details = await engine.call((abortSignal) => container.inspect({ abortSignal }), {
      toleratedCodes: [404],
    });
    if (!details) return { state: "absent", image: undefined };
    const workspace = workspaceOf(details.Mounts);
    return { state: stateOf(details.State), image: details.Config.Image, workspace };
  }

  /** `mayReplace` throws if what has the name already must stay. */
  async function create(
    options: ContainerCreateOptions,
    priority: Priority,
    mayReplace: () => Promise<unknown>,
  ): Promise<void> {
    const make = (abortSignal: AbortSignal) => engine.docker.createContainer({ ...options, abortSignal });
    if (await engine.call(make, { priority, toleratedCodes: [409] })) return;
    // The name is taken by what a crash left behind; nothing in it is worth keeping.
    await mayReplace();
    await remove();
    await engine.call(make, { priority });
  }

  async function start(priority: Priority): Promise<void> {
    await engine.call((abortSignal) => container.start({ abortSignal }), { priority, toleratedCodes: [304] });
  }

  async function pause(): Promise<void> {
    await engine.call((abortSignal) => container.pause({ abortSignal }), { priority: "background" });
  }

  async function unpause(): Promise<void> {
    await engine.call((abortSignal) => container.unpause({ abortSignal }));
  }

  /** The daemon has nothing to save, so it isn't asked nicely. */
  async function stop(): Promise<void> {
    await engine.call((abortSignal) => container.stop({ t: 0, abortSignal }), { toleratedCodes: [304, 404] });
  }

  async function kill(): Promise<void> {
    await engine.call((abortSignal) => container.kill({ abortSignal }), { toleratedCodes: [404, 409] });
  }

  async function remove(): Promise<void> {
    const options = { force: true, v: false };
    await engine.call((abortSignal) => container.remove({ ...options, abortSignal }), {
      toleratedCodes: [404],
    });
  }

  return { look, create, start, pause, unpause, stop, kill, remove };
}

export function workspaceOf(
  mounts: { Type?: string; Name?: string; Source: string; Destination: string }[],
): string | undefined {
  const found = mounts.find(({ Destination }) => Destination === "/workspace");
  return found?.Type === "volume" ? found.Name : found?.Source;
}

export function stateOf(
  state: Pick<Docker.ContainerInspectInfo["State"], "Paused" | "Running">,
): ContainerState {
  if (state.Paused) return "paused";
  return state.Running ? "running" : "stopped";
}
