// A workspace as one tar that belongs to nobody, so that it can be unpacked for whatever uid its owner has elsewhere. A helper
// container reads and writes it: the same on any engine, whatever quota there is, and whatever the owner's code does meanwhile.

import type { Readable, Writable } from "node:stream";
import type { MountSettings } from "dockerode";
import { type Helper, runHelper } from "./helper-container.ts";

const MOST_MS = 3_600_000;

// Links are stored as links, pipes as pipes, holes as holes; other file systems and what disappears meanwhile are left out. Names
// are bytes. A code of 1 means that a file changed while it was read.
const PACK = [
  "tar -c --format=posix --pax-option=delete=atime,delete=ctime --sparse --one-file-system",
  "--owner=0 --group=0 --numeric-owner --ignore-failed-read --warning=none -C /volume . || [ $? -eq 1 ]",
].join(" ");

const UNPACK = "tar -x -p --no-same-owner --delay-directory-restore --warning=none -C /volume -f -";

export async function packWorkspace(helper: Helper, workspace: MountSettings, to: Writable): Promise<void> {
  const mounts = [{ ...workspace, Target: "/volume", ReadOnly: true }];
  await runHelper(helper, { script: PACK, mounts, stdout: to, mostMs: MOST_MS });
}

/** As the owner, who has nothing else to write to: an archive can't reach further than their own code can. */
export async function unpackWorkspace(
  helper: Helper,
  workspace: MountSettings,
  { uid, archive }: { uid: number; archive: Readable },
): Promise<void> {
  const mounts = [{ ...workspace, Target: "/volume" }];
  await runHelper(helper, { script: UNPACK, mounts, uid, stdin: archive, mostMs: MOST_MS });
}
