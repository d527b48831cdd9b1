// A sandbox's machine and the disk under it, which is attached for as long as the machine runs.
// Its owner makes changes one at a time.

import type { Engine, MachineState, MachineView, Priority, SandboxIdentity } from "../engine/engine.ts";
import { EngineError, ignoreGone, SandboxError } from "../errors.ts";

export type MachineOptions = {
  engine: Engine;
  /** The image that new machines are made from. */
  image: string;
};

export class Machine {
  /** `unknown` while it changes, after a change that failed, or when we lost sight of it: the engine has to be asked. */
  state: MachineState | "unknown";
  readonly #sandbox: SandboxIdentity;
  readonly #engine: Engine;
  readonly #newestImage: string;
  #image: string | undefined;

  /** Without `view` the engine is asked when it matters. */
  constructor(
    { id, uid }: SandboxIdentity,
    view: MachineView | undefined,
    { engine, image }: MachineOptions,
  ) {
    this.#sandbox = { id, uid };
    this.#engine = engine;
    this.#newestImage = image;
    this.state = view?.state ?? "unknown";
    this.#image = view?.image;
  }

  /** Whether it was made from another image than the one new machines get. */
  get outdated(): boolean {
    return this.#image !== undefined && this.#image !== this.#newestImage;
  }

  async look(): Promise<MachineState> {
    const { state, image, workspace } = await this.#engine.machines.look(this.#sandbox.id);
    if (workspace !== undefined) await this.#requireOwn(workspace);
    this.state = state;
    this.#image = image;
    return state;
  }

  /** Starts, resumes or makes it, whatever it takes. */
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
      // The machine or its disk went away since we looked: once more, from what is there now.
      if ((await this.look()) !== "running") await this.#start(priority);
    }
  }

  get canPause(): boolean {
    return this.#engine.freezer !== undefined;
  }

  async pause(): Promise<void> {
    const { id } = this.#sandbox;
    this.state = "unknown";
    try {
      await this.#engine.freezer?.pause(id);
    } catch (error) {
      // A busy host can't always freeze it, and may leave it half done, whatever the engine believes.
      await this.#engine.freezer?.resume(id).catch(ignoreGone);
      throw error;
    }
    this.state = "paused";
  }

  async resume(): Promise<void> {
    try {
      await this.#engine.freezer?.resume(this.#sandbox.id);
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
    await this.#engine.machines.stop(this.#sandbox.id);
    await settled?.();
    await this.#engine.workspaces.detach(this.#sandbox.id);
    this.state = "stopped";
  }

  /** Ends every process in it, without waiting for anybody. */
  kill(): Promise<void> {
    return this.#engine.machines.kill(this.#sandbox.id);
  }

  /** Removes it; the workspace stays for the next one. */
  async discard(settled?: () => Promise<void>): Promise<void> {
    this.state = "unknown";
    await this.#engine.machines.remove(this.#sandbox.id);
    await settled?.();
    await this.#engine.workspaces.detach(this.#sandbox.id);
    this.state = "absent";
    this.#image = undefined;
  }

  async destroy(): Promise<void> {
    await this.discard();
    await this.#engine.workspaces.remove(this.#sandbox.id);
  }

  /** Has the disk attached for as long as `work` takes, whether there is a machine or not; a workspace that was never made is. */
  async withWorkspace<T>(work: () => Promise<T>): Promise<T> {
    if (this.state === "unknown") await this.look();
    const isAwake = this.state === "running" || this.state === "paused";
    await this.#ensureWorkspace();
    try {
      await this.#engine.workspaces.attach(this.#sandbox.id);
      return await work();
    } finally {
      if (!isAwake) await this.#engine.workspaces.detach(this.#sandbox.id);
    }
  }

  /** Of a machine that works on other files nothing is taken, not even its name. */
  async #requireOwn(workspace: string): Promise<void> {
    const { id } = this.#sandbox;
    if ((await this.#engine.workspaces.whose(id, workspace)) === "own") return;
    const cause = new Error(`The machine of sandbox ${id} is on ${workspace}.`);
    const message = "Another Cove on this engine has a machine by this sandbox's name: ask the operator.";
    throw new EngineError("engine_failed", message, { cause });
  }

  async #start(priority: Priority): Promise<void> {
    if (this.state === "absent") await this.#create(priority);
    else await this.#engine.workspaces.attach(this.#sandbox.id);
    await this.#engine.machines.start(this.#sandbox.id, priority);
    this.state = "running";
  }

  async #create(priority: Priority): Promise<void> {
    await this.#ensureWorkspace();
    await this.#engine.workspaces.attach(this.#sandbox.id);
    await this.#engine.machines.create(this.#sandbox, priority, () => this.look());
    this.#image = this.#newestImage;
    this.state = "stopped";
  }

  async #ensureWorkspace(): Promise<void> {
    const { workspaces } = this.#engine;
    const { id, uid } = this.#sandbox;
    if (!(await workspaces.exists(id))) await workspaces.create(id, uid);
  }
}
