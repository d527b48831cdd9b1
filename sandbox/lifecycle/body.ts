// A sandbox's body: its container and the disk under it, which is attached for as long as the container runs.
// Its owner makes changes one at a time.

import type { ContainerCreateOptions, MountSettings } from "dockerode";
import { type Container, type ContainerState, type ContainerView, containerOf } from "../docker/container.ts";
import type { Engine } from "../docker/engine.ts";
import type { Priority } from "../docker/engine-queue.ts";
import type { Workspaces } from "../docker/workspace.ts";
import { EngineError, ignoreGone, SandboxError } from "../errors.ts";
import type { SandboxRecord } from "../ownership.ts";

export type BodyOptions = {
  engine: Engine;
  workspaces: Workspaces;
  /** The image that new containers are made from. */
  image: string;
  containerOptions: (
    record: Pick<SandboxRecord, "id" | "uid">,
    workspace: MountSettings,
  ) => ContainerCreateOptions;
};

export class Body {
  /** `unknown` while it changes, after a change that failed, or when we lost sight of it: the engine has to be asked. */
  state: ContainerState | "unknown";
  readonly #record: Pick<SandboxRecord, "id" | "uid">;
  readonly #options: BodyOptions;
  readonly #container: Container;
  #image: string | undefined;

  /** Without `found` the engine is asked when it matters. */
  constructor(
    record: Pick<SandboxRecord, "id" | "uid">,
    found: ContainerView | undefined,
    options: BodyOptions,
  ) {
    this.#record = record;
    this.#options = options;
    this.#container = containerOf(options.engine, record.id);
    this.state = found?.state ?? "unknown";
    this.#image = found?.image;
  }

  /** Whether its container was made from another image than the one new containers get. */
  get outdated(): boolean {
    return this.#image !== undefined && this.#image !== this.#options.image;
  }

  async look(): Promise<ContainerState> {
    const { state, image, workspace } = await this.#container.look();
    if (workspace !== undefined) await this.#requireOwn(workspace);
    this.state = state;
    this.#image = image;
    return state;
  }

  /** Starts, resumes or makes the container, whatever it takes. */
  async ensureRunning(priority: Priority): Promise<void> {
    if (this.state === "unknown") await this.look();
    if (this.state === "running") return;
    if (this.state === "paused") return this.resume();
    if (this.outdated) await this.discard();
    try {
      await this.#start(priority);
    } catch (error) {
      const code = error instanceof SandboxError ? error.code : undefined;
      if (code !== "sandbox_gone" && code !== "engine_failed") throw error;
      // The container or its mount went away since we looked: once more, from what is there now.
      if ((await this.look()) !== "running") await this.#start(priority);
    }
  }

  async pause(): Promise<void> {
    this.state = "unknown";
    try {
      await this.#container.pause();
    } catch (error) {
      // A busy host can't always freeze it, and may leave it half done, whatever the engine believes.
      await this.#container.unpause().catch(ignoreGone);
      throw error;
    }
    this.state = "paused";
  }

  async resume(): Promise<void> {
    try {
      await this.#container.unpause();
      this.state = "running";
    } catch (error) {
      // Somebody else may have resumed it before us.
      if ((await this.look()) !== "running") throw error;
    }
  }

  /** `settled` runs in between, when no process can touch the files any more. */
  async stop(settled?: () => Promise<void>): Promise<void> {
    if (this.state === "absent") return;
    this.state = "unknown";
    await this.#container.stop();
    await settled?.();
    await this.#options.workspaces.detach(this.#record.id);
    this.state = "stopped";
  }

  /** Ends every process in it, without waiting for anybody's turn. */
  kill(): Promise<void> {
    return this.#container.kill();
  }

  /** Removes the container; the workspace stays for the next one. */
  async discard(settled?: () => Promise<void>): Promise<void> {
    this.state = "unknown";
    await this.#container.remove();
    await settled?.();
    await this.#options.workspaces.detach(this.#record.id);
    this.state = "absent";
    this.#image = undefined;
  }

  async destroy(): Promise<void> {
    await this.discard();
    await this.#options.workspaces.remove(this.#record.id);
  }

  /** Of a container that works on other files nothing is taken, not even its name. */
  async #requireOwn(workspace: string): Promise<void> {
    const { id } = this.#record;
    if ((await this.#options.workspaces.whose(id, workspace)) === "own") return;
    const cause = new Error(`The container of sandbox ${id} is on ${workspace}.`);
    const message = "Another Cove on this engine has a container by this sandbox's name: ask the operator.";
    throw new EngineError("engine_failed", message, { cause });
  }

  /** Has the disk attached for as long as `work` takes, whether there is a container or not; a workspace that was never made is. */
  async withWorkspace<T>(work: (mount: MountSettings) => Promise<T>): Promise<T> {
    const { workspaces } = this.#options;
    const { id, uid } = this.#record;
    if (this.state === "unknown") await this.look();
    const isAwake = this.state === "running" || this.state === "paused";
    if (!(await workspaces.exists(id))) await workspaces.create(id, uid);
    try {
      return await work(await workspaces.attach(id));
    } finally {
      if (!isAwake) await workspaces.detach(id);
    }
  }

  async #start(priority: Priority): Promise<void> {
    const { workspaces } = this.#options;
    if (this.state === "absent") await this.#create(priority);
    else await workspaces.attach(this.#record.id);
    await this.#container.start(priority);
    this.state = "running";
  }

  async #create(priority: Priority): Promise<void> {
    const { workspaces, containerOptions, image } = this.#options;
    const { id, uid } = this.#record;
    if (!(await workspaces.exists(id))) await workspaces.create(id, uid);
    const mount = await workspaces.attach(id);
    await this.#container.create(containerOptions(this.#record, mount), priority, () => this.look());
    this.#image = image;
    this.state = "stopped";
  }
}
