// A short-lived container as root for what must happen on the engine's side: filling and chowning volumes.
// It runs our own image with our own command, has no network, and never sees a user's processes.

import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Docker from "dockerode";
import type { ContainerCreateOptions, MountSettings } from "dockerode";
import { installationLabel } from "./container-spec.ts";
import type { Engine } from "./engine.ts";
import { EngineError } from "./errors.ts";

/** A large folder on its way to a remote engine takes its time. */
const MOST_MS = 300_000;

export type Helper = { engine: Engine; installation: string; image: string };
export type HelperTask = { script: string; mounts: MountSettings[]; stdin?: Readable };

/** Runs a shell script and returns what it printed. */
export async function runHelper(helper: Helper, task: HelperTask): Promise<string> {
  const { engine } = helper;
  const options = helperOptions(helper, task);
  const container = await engine.call((abortSignal) =>
    engine.docker.createContainer({ ...options, abortSignal }),
  );
  try {
    return await engine.attend(() => converse(engine, container, task.stdin), MOST_MS);
  } finally {
    await engine.call((abortSignal) => container.remove({ force: true, v: false, abortSignal }));
  }
}

export function helperOptions(
  { installation, image }: Omit<Helper, "engine">,
  task: HelperTask,
): ContainerCreateOptions {
  return {
    Image: image,
    Entrypoint: ["/bin/sh", "-euc", task.script],
    Cmd: [],
    Env: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
    User: "0:0",
    WorkingDir: "/",
    Labels: { [installationLabel]: installation, "cove.role": "helper" },
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    StdinOnce: true,
    HostConfig: {
      NetworkMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      CapAdd: ["CHOWN", "DAC_OVERRIDE", "FOWNER"],
      SecurityOpt: ["no-new-privileges"],
      LogConfig: { Type: "none", Config: {} },
      PidsLimit: 32,
      Memory: 256 * 2 ** 20,
      Mounts: task.mounts,
    },
  };
}

async function converse(engine: Engine, container: Docker.Container, stdin?: Readable): Promise<string> {
  const stream = await engine.call((abortSignal) =>
    container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true, abortSignal }),
  );
  const output = new PassThrough();
  container.modem.demuxStream(stream, output, output);
  stream.once("end", () => output.end());
  stream.once("error", (error) => output.destroy(error));
  const printed = output.toArray();
  // Whoever waits for it hears of a failure; if the start fails, nobody does.
  printed.catch(() => undefined);
  await engine.call((abortSignal) => container.start({ abortSignal }));
  if (stdin) await pipeline(stdin, stream);
  else stream.end();
  const text = Buffer.concat(await printed)
    .toString("utf8")
    .trim();
  // Asked only now: of one that wasn't started yet the engine would say that it has ended well.
  const { StatusCode } = (await container.wait()) as { StatusCode: number };
  if (StatusCode === 0) return text;
  throw new EngineError(
    "engine_failed",
    `A helper container ended with code ${StatusCode}: ${text || "no output"}`,
  );
}
