// A container engine of the test's own, with its own root, sockets and containerd, so that it can be stopped,
// killed and started again while everybody else's goes on.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { hostCommand } from "#sandbox/docker/disk/host-command.ts";

export type OwnEngine = Awaited<ReturnType<typeof startOwnEngine>>;

/** `listening`: further arguments, for an engine that is to be reached otherwise, too. */
export async function startOwnEngine(listening: string[] = []) {
  const root = await mkdtemp(join(tmpdir(), "cove-engine-"));
  const socket = join(root, "docker.sock");
  const docker = new Docker({ socketPath: socket });
  // Without a bridge of its own it would use, and one without any (`--bridge=none`) even remove, the other engine's docker0.
  const bridge = `cove-${randomBytes(4).toString("hex")}`;
  await hostCommand("ip", ["link", "add", bridge, "type", "bridge"]);
  const containerdSocket = join(root, "containerd.sock");
  const containerd = run(root, "containerd", [
    "--config",
    await containerdConfig(root),
    "--address",
    containerdSocket,
    "--root",
    join(root, "containerd"),
    "--state",
    join(root, "containerd-state"),
  ]);
  let dockerd: ChildProcess | undefined;

  async function start(): Promise<void> {
    dockerd = run(root, "dockerd", [
      "--host",
      `unix://${socket}`,
      "--containerd",
      containerdSocket,
      "--pidfile",
      join(root, "docker.pid"),
      "--data-root",
      join(root, "data"),
      "--exec-root",
      join(root, "exec"),
      `--bridge=${bridge}`,
      "--iptables=false",
      "--ip6tables=false",
      "--ip-forward=false",
      "--storage-driver=overlay2",
      ...listening,
    ]);
    await answers(docker);
  }

  async function stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    await end(dockerd, signal);
    await rm(join(root, "docker.pid"), { force: true });
  }

  /** The image of another engine, carried over. */
  async function load(from: Docker, image: string): Promise<void> {
    const loading = await docker.loadImage(await from.getImage(image).get());
    await pipeline(loading, createWriteStream("/dev/null"));
  }

  async function remove(): Promise<void> {
    await stop();
    await end(containerd, "SIGTERM");
    await unmountAll(root);
    await hostCommand("ip", ["link", "delete", bridge]);
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  await start();
  return { docker, start, stop, load, remove };
}

async function containerdConfig(root: string): Promise<string> {
  const file = join(root, "containerd.toml");
  await mkdir(join(root, "containerd"), { recursive: true });
  await writeFile(file, 'version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n');
  return file;
}

function run(root: string, program: string, args: string[]): ChildProcess {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  };
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env, detached: true });
  const log = createWriteStream(join(root, `${program}.log`), { flags: "a" });
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  return child;
}

async function answers(docker: Docker): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await docker.ping();
      return;
    } catch (error) {
      if (tries > 150) throw new Error("The test's own engine didn't start within 30 s.", { cause: error });
      await sleep(200);
    }
  }
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

async function unmountAll(root: string): Promise<void> {
  const script =
    "awk -v r=\"$1/\" 'index($5, r) == 1 { print $5 }' /proc/self/mountinfo | sort -r | xargs -r umount -l";
  await hostCommand("sh", ["-c", script, "sh", root]);
}
