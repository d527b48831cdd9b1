import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const IMAGE_DIR = join(import.meta.dirname, "../../image");

export type ImageFile = { path: string; executable: boolean; data: Buffer };

/** Names the image after what it is built from, so that it is rebuilt exactly when that changed. */
export function imageTag(dir = IMAGE_DIR): string {
  return tagOf(imageFiles(dir));
}

export function tagOf(files: ImageFile[]): string {
  const hash = createHash("sha256");
  for (const { path, executable, data } of files) {
    hash.update(`${JSON.stringify(path)} ${executable} ${data.length}\n`).update(data);
  }
  return `cove-sandbox:${hash.digest("hex").slice(0, 16)}`;
}

/** The files of the build context in a fixed order; the same ones are hashed and sent to the engine. */
export function imageFiles(dir = IMAGE_DIR): ImageFile[] {
  return listFiles(dir, "").map((path) => ({
    path,
    executable: (statSync(join(dir, path)).mode & 0o100) !== 0,
    data: readFileSync(join(dir, path)),
  }));
}

// Caches and tests come and go beside the sources without changing the image.
const IGNORED = /^__pycache__$|\.test\.|_test\.py$/;

function listFiles(root: string, below: string): string[] {
  return readdirSync(join(root, below), { withFileTypes: true })
    .filter((entry) => !IGNORED.test(entry.name))
    .flatMap((entry) => {
      const path = below ? `${below}/${entry.name}` : entry.name;
      return entry.isDirectory() ? listFiles(root, path) : [path];
    })
    .sort();
}
