// A short-lived container as root for what must happen on the engine's side: filling and chowning volumes.
// It runs our own image with our own command, has no network, and never sees a user's processes.

import { PassThrough, type Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Docker from "dockerode";
import type { ContainerCreateOptions, MountSettings } from "dockerode";
import { EngineError } from "../errors.ts";
import { installationLabel } from "./container-spec.ts";
import type { DockerClient } from "./docker-client.ts";

/** A large folder on its way to a remote engine takes its time. */
const MOST_MS = 300_000;

export type Helper = { client: DockerClient; installation: string; image: string };
export type HelperTask = {
  script: string;
  mounts: MountSettings[];
  stdin?: Readable;
  /** Takes what it prints, as fast as it can, instead of all of it being returned. */
  stdout?: Writable;
  /** As this user and without any capability, rather than as root. */
  uid?: number;
  mostMs?: number;
};

/** Runs a shell script and returns what it printed. */
export async function runHelper(helper: Helper, task: HelperTask): Promise<string> {
  const { client } = helper;
  const options = helperOptions(helper, task);
  const container = await client.call((abortSignal) =>
    client.docker.createContainer({ ...options, abortSignal }),
  );
  try {
    return await client.attend(() => converse(client, container, task), task.mostMs ?? MOST_MS);
  } finally {
    await client.call((abortSignal) => container.remove({ force: true, v: false, abortSignal }));
  }
}

export function helperOptions(
  { installation, image }: Omit<Helper, "client">,
  task: HelperTask,
): ContainerCreateOptions {
  return {
    Image: image,
    Entrypoint: ["/bin/sh", "-euc", task.script],
    Cmd: [],
    Env: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
    User: `${task.uid ?? 0}:${task.uid ?? 0}`,
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
      CapAdd: task.uid === undefined ? ["CHOWN", "DAC_OVERRIDE", "FOWNER"] : [],
      SecurityOpt: ["no-new-privileges"],
      LogConfig: { Type: "none", Config: {} },
      PidsLimit: 32,
      Memory: 256 * 2 ** 20,
      Mounts: task.mounts,
    },
  };
}

async function converse(
  client: DockerClient,
  container: Docker.Container,
  { stdin, stdout }: Pick<HelperTask, "stdin" | "stdout">,
): Promise<string> {
  const stream = await client.call((abortSignal) =>
    container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true, abortSignal }),
  );
  const printed = stdout ? deliver(stream as unknown as Readable, stdout) : collect(container, stream);
  // Whoever waits for it hears of a failure; if the start fails, nobody does.
  printed.catch(() => undefined);
  await client.call((abortSignal) => container.start({ abortSignal }));
  if (stdin) await pipeline(stdin, stream);
  else stream.end();
  const text = await printed;
  // Asked only now: of one that wasn't started yet the engine would say that it has ended well.
  const { StatusCode } = (await container.wait()) as { StatusCode: number };
  if (StatusCode === 0) return text;
  throw new EngineError(
    "engine_failed",
    `A helper container ended with code ${StatusCode}: ${text || "no output"}`,
  );
}

async function collect(container: Docker.Container, stream: NodeJS.ReadWriteStream): Promise<string> {
  const output = new PassThrough();
  container.modem.demuxStream(stream, output, output);
  stream.once("end", () => output.end());
  stream.once("error", (error) => output.destroy(error));
  return Buffer.concat(await output.toArray())
    .toString("utf8")
    .trim();
}

/** What went wrong is returned, a little of it; the client library's own way would read on while nobody takes it. */
async function deliver(stream: Readable, stdout: Writable): Promise<string> {
  const problems: Buffer[] = [];
  await pipeline(
    stream,
    (source: AsyncIterable<Buffer>) => standardOutput(source, (chunk) => problems.push(chunk)),
    stdout,
  );
  return Buffer.concat(problems).toString("utf8").trim();
}

const HEAD_BYTES = 8;
const STDERR = 2;
const MOST_PROBLEMS = 20;

/** The engine sends frames: which stream in the first byte, how many bytes follow in the last four of eight. */
async function* standardOutput(source: AsyncIterable<Buffer>, onProblem: (chunk: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let [left, kind, problems] = [0, 0, 0];
  for await (const chunk of source) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= (left > 0 ? 1 : HEAD_BYTES)) {
      if (left === 0) {
        kind = rest.readUInt8(0);
        left = rest.readUInt32BE(4);
        rest = rest.subarray(HEAD_BYTES);
        continue;
      }
      const part = rest.subarray(0, left);
      left -= part.length;
      rest = rest.subarray(part.length);
      if (kind !== STDERR) yield part;
      else if (problems++ < MOST_PROBLEMS) onProblem(part.subarray(0, 1000));
    }
  }
}
