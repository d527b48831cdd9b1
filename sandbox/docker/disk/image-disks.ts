// A workspace with a hard quota: a thin ext4 image in one file, mounted from a loop device that the
// kernel gives back by itself when it is unmounted. The user's files live in a directory of it, so a
// container can never be started on the bare mount point, which has no quota.

import {
  access,
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  truncate,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MountSettings } from "dockerode";
import { EngineError } from "../../errors.ts";
import { hostCommand } from "./host-command.ts";
import { imageTrims } from "./image-trims.ts";
import { backingFile, mountTable } from "./mounts.ts";

/** `directory` is absolute and lies on the host that the engine runs on. */
export function imageDisks({ directory, bytes }: { directory: string; bytes: number }) {
  const imageOf = (id: string) => join(directory, `${id}.img`);
  const mountPointOf = (id: string) => join(directory, id);
  const trims = imageTrims(imageOf, mountPointOf);
  const workspaceOf = (id: string) => join(mountPointOf(id), "workspace");

  async function exists(id: string): Promise<boolean> {
    return isThere(imageOf(id));
  }

  /** Named `.new` until it is whole: an image under its own name always has its workspace inside. */
  async function create(id: string, uid: number): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const contents = join(directory, `${id}.contents`);
    await mkdir(join(contents, "workspace"), { recursive: true });
    try {
      await chmod(join(contents, "workspace"), 0o755);
      await chown(join(contents, "workspace"), uid, uid);
      await makeImage(`${imageOf(id)}.new`, bytes, contents);
    } finally {
      await rm(contents, { recursive: true });
    }
    await rename(`${imageOf(id)}.new`, imageOf(id));
  }

  /** Mounts the image unless it is mounted. A file system left unclean by a crash is repaired first. */
  async function attach(id: string): Promise<void> {
    const mountPoint = mountPointOf(id);
    if ((await mountTable()).has(mountPoint)) return;
    await mkdir(mountPoint, { recursive: true, mode: 0o700 });
    await grow(imageOf(id), bytes);
    try {
      await mount(imageOf(id), mountPoint);
    } catch {
      await check(imageOf(id));
      await mount(imageOf(id), mountPoint);
    }
    await requireSameFile(imageOf(id), mountPoint);
  }

  /** Waits until the loop device has let go, so that the next `attach` can't find one that is about to. */
  async function detach(id: string): Promise<void> {
    const mountPoint = mountPointOf(id);
    const device = (await mountTable()).get(mountPoint);
    await trims.end(id);
    if (device !== undefined) {
      await run("umount", ["--", mountPoint]);
      await released(device, imageOf(id));
    }
    if (await isThere(mountPoint)) await rmdir(mountPoint).catch(ignoreNotEmpty);
  }

  async function remove(id: string): Promise<void> {
    await detach(id);
    await rm(imageOf(id), { force: true });
    await rm(`${imageOf(id)}.new`, { force: true });
    await rm(join(directory, `${id}.contents`), { recursive: true, force: true });
  }

  /** Ids that have something here, whole or left unfinished by a crash. */
  async function list(): Promise<string[]> {
    if (!(await isThere(directory))) return [];
    const names = await readdir(directory);
    const ids = names.map((name) => name.match(/^(.+?)\.(?:img|img\.new|contents)$/)?.[1]);
    return [...new Set(ids.filter((id) => id !== undefined))];
  }

  /** Ids of the images that are mounted now. */
  async function attached(): Promise<string[]> {
    const inside = [...(await mountTable()).keys()].filter((point) => dirname(point) === directory);
    return inside.map((point) => basename(point));
  }

  /** The same directory may go by another path. */
  async function whose(id: string, source: string): Promise<"own" | "nobody's" | "another's"> {
    const [, holder] = source.match(/^(.*)\/([^/]+)\/workspace$/) ?? [];
    if (holder === undefined || !(await isThere(join(holder, `${id}.img`)))) return "nobody's";
    return (await realpath(holder)) === (await realpath(directory)) ? "own" : "another's";
  }

  function mountSettings(id: string): MountSettings {
    return {
      Type: "bind",
      Source: workspaceOf(id),
      Target: "/workspace",
      BindOptions: { Propagation: "rprivate" },
    };
  }

  return {
    exists,
    create,
    attach,
    detach,
    trim: trims.trim,
    owed: trims.owed,
    attached,
    remove,
    list,
    whose,
    mountSettings,
  };
}

async function makeImage(path: string, bytes: number, contents: string): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  await file.truncate(bytes).finally(() => file.close());
  // A new sparse file reads as zeros, so neither the inode tables nor the journal need writing.
  const extended = "nodiscard,lazy_itable_init=1,lazy_journal_init=1,root_owner=0:0";
  await run("mkfs.ext4", ["-q", "-F", "-m0", "-E", extended, "-d", contents, path]);
}

async function mount(image: string, mountPoint: string): Promise<void> {
  // noinit_itable: the kernel would otherwise fill the thin image with zeroed inode tables.
  const options = "loop,nosuid,nodev,noatime,noinit_itable,errors=remount-ro";
  await run("mount", ["-t", "ext4", "-o", options, "--", image, mountPoint]);
}

/** A device may be given to another image while we mount it: then somebody else's files would be here. */
async function requireSameFile(image: string, mountPoint: string): Promise<void> {
  const device = (await mountTable()).get(mountPoint) ?? "";
  const backing = await backingFile(device);
  if (backing === image) return;
  await run("umount", ["--", mountPoint]);
  const cause = new Error(`${device} at ${mountPoint} holds ${backing ?? "nothing"} instead of ${image}.`);
  throw new EngineError("engine_failed", "The workspace's disk was mixed up with another.", { cause });
}

/** A container's own view of the mount goes a moment after the container does. */
async function released(device: string, image: string): Promise<void> {
  for (let tries = 0; tries < 100 && (await backingFile(device)) === image; tries++) await sleep(10);
}

/** A raised limit reaches existing workspaces the next time they are attached; they never shrink. */
async function grow(image: string, bytes: number): Promise<void> {
  const { size } = await stat(image);
  if (size >= bytes) return;
  await check(image, "-f");
  await truncate(image, bytes);
  await run("resize2fs", [image]);
}

/** Exit code 1 means that errors were found and mended. */
async function check(image: string, ...flags: string[]): Promise<void> {
  await run("sh", ["-c", 'e2fsck -p "$@" || [ $? -eq 1 ]', "e2fsck", ...flags, image]);
}

/** What a tool of the host's said is kept as the cause: it names files that are no user's business. */
async function run(tool: string, args: string[]): Promise<void> {
  try {
    // A service's own PATH often lacks the directories of these tools; with `env` set, the usual ones are searched.
    await hostCommand(tool, args, { env: { LC_ALL: "C" } });
  } catch (cause) {
    const full = /no space left on device/i.test((cause as Error).message);
    throw full
      ? new EngineError("disk_full", "The server's disk is full: ask its operator to free space.", { cause })
      : new EngineError("engine_failed", `The workspace's disk failed: \`${tool}\` didn't work.`, { cause });
  }
}

/** Beneath the mount lie plain files where a running installation was copied. They are in nobody's way. */
function ignoreNotEmpty(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOTEMPTY") throw error;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
