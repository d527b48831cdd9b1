import type Docker from "dockerode";
import { pack } from "tar-stream";
import { debianBase, hasImage } from "./debian-base.ts";
import { engineEvents } from "./engine-events.ts";
import { hostMirrors, hostProxies, type Proxies } from "./host-apt.ts";
import { IMAGE_DIR, type ImageFile, imageFiles, tagOf } from "./image-tag.ts";

export type EnsureImageOptions = {
  dir?: string;
  /** For what the build downloads; apt's own proxies unless given. They don't stay in the image. */
  proxies?: Proxies;
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
};

/** Makes sure that the engine has the sandbox image that belongs to this code. */
export async function ensureImage(
  docker: Docker,
  options: EnsureImageOptions = {},
): Promise<{ tag: string; built: boolean }> {
  const { dir = IMAGE_DIR, onProgress, signal } = options;
  // Read once: what is hashed is what is built, even while someone edits the files.
  const files = imageFiles(dir);
  const tag = tagOf(files);
  if (await hasImage(docker, tag)) return { tag, built: false };
  signal?.throwIfAborted();
  const mirrors = await hostMirrors();
  const proxies = options.proxies ?? (await hostProxies());
  const base = await debianBase(docker, {
    proxies,
    ...(mirrors.main && { mirror: mirrors.main }),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  const stream = await docker.buildImage(buildContext(files), {
    t: tag,
    // The host's own name resolution and routes are those that work here.
    networkmode: "host",
    rm: true,
    forcerm: true,
    buildargs: {
      BASE: base,
      ...(mirrors.main && { MIRROR: mirrors.main, SECURITY_MIRROR: mirrors.security ?? "" }),
      ...proxies,
    },
    ...(signal && { abortSignal: signal }),
  });
  await followBuild(stream, tag, onProgress).catch((error) => {
    signal?.throwIfAborted();
    throw error;
  });
  return { tag, built: true };
}

/** Follows a build to its end. A failure names the step it stopped at and the last lines of its output. */
export async function followBuild(
  stream: NodeJS.ReadableStream,
  tag: string,
  onProgress?: (line: string) => void,
): Promise<void> {
  let step = "its beginning";
  let output: string[] = [];
  for await (const event of engineEvents(stream)) {
    if (event.error) {
      const lines = output.slice(-30).map((line) => `  ${line}`);
      throw new Error([`Building ${tag} stopped at ${step}: ${event.error.trim()}`, ...lines].join("\n"));
    }
    for (const line of plainLines(event.stream ?? event.status ?? "")) {
      if (/^Step \d+\/\d+ : /.test(line)) {
        step = line.length > 120 ? `${line.slice(0, 120)}…` : line;
        output = [];
      } else {
        output.push(line);
        if (output.length > 200) output = output.slice(-30);
      }
      onProgress?.(line);
    }
  }
}

function buildContext(files: ImageFile[]): NodeJS.ReadableStream {
  const tar = pack();
  for (const { path, executable, data } of files) {
    tar.entry({ name: path, mode: executable ? 0o755 : 0o644, mtime: new Date(0) }, data);
  }
  tar.finalize();
  return tar as unknown as NodeJS.ReadableStream;
}

// The builder colours what a step prints to stderr.
function plainLines(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is taken out
  const plain = text.replace(/\u001b\[[0-9;]*m/g, "");
  return plain
    .split(/[\r\n]+/)
    .map((line) => line.trimEnd())
    .filter(Boolean);
}
