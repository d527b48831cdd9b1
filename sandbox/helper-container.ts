// A short-lived container as root for what must happen on the engine's side: filling and chowning volumes.
// It runs our own image with our own command, has no network, and never sees a user's processes.

import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Docker from "dockerode";
import type { MountSettings } from "dockerode";
import { installationLabel } from "./container-spec.ts";
import { EngineError } from "./errors.ts";

export type Helper = { docker: Docker; installation: string; image: string };
export type HelperTask = { script: string; mounts: MountSettings[]; stdin?: Readable };

/** Runs a shell script and returns what it printed. */
export async function runHelper({ docker, installation, image }: Helper, task: HelperTask): Promise<string> {
  const container = await docker.createContainer({
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
  });
  try {
    return await converse(container, task.stdin);
  } finally {
    await container.remove({ force: true, v: false });
  }
}

async function converse(container: Docker.Container, stdin?: Readable): Promise<string> {
  const stream = await container.attach({
    stream: true,
    hijack: true,
    stdin: true,
    stdout: true,
    stderr: true,
  });
  const output = new PassThrough();
  container.modem.demuxStream(stream, output, output);
  stream.once("end", () => output.end());
  stream.once("error", (error) => output.destroy(error));
  const printed = output.toArray();
  const exited = container.wait();
  await container.start();
  if (stdin) await pipeline(stdin, stream);
  else stream.end();
  const { StatusCode } = (await exited) as { StatusCode: number };
  const text = Buffer.concat(await printed)
    .toString("utf8")
    .trim();
  if (StatusCode === 0) return text;
  throw new EngineError(
    "engine_failed",
    `A helper container ended with code ${StatusCode}: ${text || "no output"}`,
  );
}
