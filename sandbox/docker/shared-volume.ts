// The read-only volume with skills and tools that every sandbox of an installation mounts. It is filled through
// a helper container, so it works the same on a remote engine, and in place, so running sandboxes see the change.

import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Folders } from "../engine/engine.ts";
import { installationLabel } from "./container-spec.ts";
import { archive, fingerprint } from "./folder-archive.ts";
import { type Helper, runHelper } from "./helper-container.ts";

export type SharedVolume = { name: string; refresh: () => Promise<boolean> };

/** `stampFile` remembers what the volume holds, so that an unchanged one costs no container at boot. */
export async function openSharedVolume(
  helper: Helper,
  folders: Folders,
  stampFile: string,
): Promise<SharedVolume> {
  const name = `cove-${helper.installation}-shared`;
  let filledWith: string | undefined;

  /** Resolves to whether the volume had to be filled again. Costs a look at the folders when it hadn't. */
  async function refresh(): Promise<boolean> {
    const contents = await fingerprint(folders);
    if (contents === filledWith) return false;
    const full = (await stampFor(contents)) === (await readStamp(stampFile));
    if (!full) {
      const VolumeOptions = { NoCopy: true, Labels: {}, DriverConfig: { Name: "local", Options: {} } };
      const mounts = [{ Type: "volume" as const, Source: name, Target: "/volume", VolumeOptions }];
      await runHelper(helper, { script: swapIn(Object.keys(folders)), mounts, stdin: archive(folders) });
      await writeFile(stampFile, await stampFor(contents), { mode: 0o600 });
    }
    filledWith = contents;
    return !full;
  }

  /** A volume keeps the label it was made with, so one that was made anew never passes for full. */
  async function stampFor(contents: string): Promise<string> {
    const Labels = {
      [installationLabel]: helper.installation,
      "cove.role": "shared",
      "cove.made": randomUUID(),
    };
    const { client } = helper;
    await client.call((abortSignal) => client.docker.createVolume({ Name: name, Labels, abortSignal }));
    const volume = await client.call((abortSignal) => client.docker.getVolume(name).inspect({ abortSignal }));
    return JSON.stringify({ made: volume.Labels["cove.made"], contents });
  }

  await refresh();
  return { name, refresh };
}

/** Unpacks beside what is there and renames, so that a reader never sees half a folder. */
function swapIn(names: string[]): string {
  return [
    "cd /volume",
    "rm -rf .next .old",
    "mkdir .next .old",
    "tar -x -C .next -f -",
    ...names.map((name) => `if [ -e ${name} ]; then mv ${name} .old/; fi; mv .next/${name} ${name}`),
    "rm -rf .next .old",
  ].join("\n");
}

async function readStamp(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
