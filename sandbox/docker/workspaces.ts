// The disk behind /workspace. New workspaces get a hard quota where this host allows it, a soft one elsewhere;
// an existing one is always found where it was made.

import { statfs } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { MountSettings } from "dockerode";
import type { DiskOptions, Quota, Workspaces } from "../engine/engine.ts";
import { EngineError } from "../errors.ts";
import { imageDisks } from "./disk/image-disks.ts";
import { probeHardQuota } from "./disk/probe-hard-quota.ts";
import { volumeDisks } from "./disk/volume-disks.ts";
import type { Helper } from "./helper-container.ts";
import { packWorkspace, unpackWorkspace } from "./workspace-archive.ts";

export type WorkspaceOptions = DiskOptions & {
  /** Where disk images live; on the engine's own host, or they go unused. */
  directory: string;
};

/** For Docker alone: how a container gets a workspace that is attached. */
export type DockerWorkspaces = Workspaces & { mountOf(id: string): Promise<MountSettings> };

export async function openWorkspaces(helper: Helper, options: WorkspaceOptions): Promise<DockerWorkspaces> {
  const directory = resolve(options.directory);
  const images = imageDisks({ directory, bytes: options.bytes });
  const volumes = volumeDisks(helper);
  const quota = await decideQuota(helper, directory, options.quota);

  async function create(id: string, uid: number): Promise<void> {
    await requireRoom();
    await (quota.kind === "hard" ? images : volumes).create(id, uid);
  }

  async function attach(id: string): Promise<void> {
    if (!(await images.exists(id))) return;
    if (quota.kind === "soft") {
      const message = `The workspace ${id} is a disk image, which this server can't mount. ${quota.reason}`;
      throw new EngineError("engine_failed", message);
    }
    await images.attach(id);
  }

  async function mountOf(id: string): Promise<MountSettings> {
    return ((await images.exists(id)) ? images : volumes).mountSettings(id);
  }

  async function detach(id: string): Promise<void> {
    if (quota.kind === "hard") await images.detach(id);
  }

  /** Gives back what was deleted. With a soft quota the files are the engine's own, and it has them back already. */
  async function trim(id: string): Promise<void> {
    if (quota.kind === "hard" && (await images.exists(id))) await images.trim(id);
  }

  async function detachOthers(needed: Set<string>): Promise<void> {
    if (quota.kind === "soft") return;
    for (const id of await images.attached()) if (!needed.has(id)) await images.detach(id);
  }

  async function whose(id: string, source: string): Promise<"own" | "nobody's" | "another's"> {
    const own = [images.mountSettings(id).Source, volumes.mountSettings(id).Source];
    if (own.includes(source)) return "own";
    return isAbsolute(source) && quota.kind === "hard" ? images.whose(id, source) : "another's";
  }

  async function exists(id: string): Promise<boolean> {
    return (await images.exists(id)) || (await volumes.exists(id));
  }

  async function quotaOf(id: string): Promise<Quota["kind"]> {
    return (await images.exists(id)) ? "hard" : "soft";
  }

  async function remove(id: string): Promise<void> {
    await images.remove(id);
    await volumes.remove(id);
  }

  async function list(): Promise<string[]> {
    return [...(await images.list()), ...(await volumes.list())];
  }

  async function requireRoom(): Promise<void> {
    if (quota.kind === "soft") return;
    // A thin image loses writes when the host's disk is full, so room is kept for those that exist.
    const free = await freeBytes(directory);
    // What a sandbox gave back while it rests is promised to it, until it is stopped.
    const reserve = options.reserveBytes + (await images.owed());
    if (free >= reserve) return;
    const megabytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)} MB`;
    const state = `${megabytes(free)} free, ${megabytes(reserve)} are kept in reserve`;
    throw new EngineError(
      "disk_full",
      `The server's disk is almost full (${state}): ask its operator to free space.`,
    );
  }

  return {
    quota,
    create,
    attach,
    mountOf,
    detach,
    trim,
    detachOthers,
    whose,
    exists,
    quotaOf,
    remove,
    list,
    requireRoom,
    pack: async (id, to) => packWorkspace(helper, await mountOf(id), to),
    unpack: async ({ id, uid }, archive) => unpackWorkspace(helper, await mountOf(id), { uid, archive }),
  };
}

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

async function decideQuota(helper: Helper, directory: string, wanted?: "hard" | "soft"): Promise<Quota> {
  if (wanted === "soft") return { kind: "soft", reason: "A soft quota was asked for." };
  const reason = await probeHardQuota(helper, directory);
  if (reason === undefined) return { kind: "hard" };
  if (wanted === "hard") throw new EngineError("engine_failed", `Hard quotas were asked for. ${reason}`);
  return { kind: "soft", reason };
}
