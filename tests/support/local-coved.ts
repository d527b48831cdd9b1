// Runs the daemon on this machine, without a container: for tests of the pipe and of what needs no isolation.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";

const DAEMON = fileURLToPath(new URL("../../sandbox/image/coved", import.meta.url));

export type LocalCoved = {
  /** Where /workspace, /tmp, /skills and /tools really are. */
  roots: string;
  pid: number;
  dial: () => Promise<Duplex>;
  /** Kills the daemon and starts another on the same socket. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * `tickSeconds` is how long the daemon waits before it finds the server a little too quiet, `egressPort` where it
 * takes connections to the outside.
 */
export async function startLocalCoved(tickSeconds = 15, egressPort?: number): Promise<LocalCoved> {
  const folder = await mkdtemp(join(tmpdir(), "coved-"));
  const run = join(folder, "run");
  const roots = join(folder, "roots");
  for (const name of ["workspace", "tmp", "skills", "tools"])
    await mkdir(join(roots, name), { recursive: true });
  await mkdir(run);
  const socket = join(run, "coved.sock");
  const options = [`--run=${run}`, `--roots=${roots}`, `--tick=${tickSeconds}`];
  if (egressPort !== undefined) options.push(`--egress=${egressPort}`);
  const launchHere = () => launch(options, socket);
  let daemon = await launchHere();
  return {
    roots,
    get pid() {
      return daemon.pid as number;
    },
    dial: () => dial(socket),
    async restart() {
      await end(daemon);
      await rm(socket, { force: true });
      daemon = await launchHere();
    },
    async stop() {
      await end(daemon);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(options: string[], socket: string): Promise<ChildProcess> {
  const daemon = spawn("python3", ["-I", "-S", "-E", "-B", DAEMON, ...options], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, LANG: "C.UTF-8", HOME: "/workspace" },
  });
  for (;;) {
    const stream = await dial(socket).catch(() => undefined);
    stream?.destroy();
    if (stream) return daemon;
    if (daemon.exitCode !== null)
      throw new Error(`The daemon ended with ${daemon.exitCode} before it listened.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function dial(socket: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const stream = connect(socket);
    stream.once("connect", () => resolve(stream));
    stream.once("error", reject);
  });
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exited = new Promise((resolve) => daemon.once("exit", resolve));
  const family = await descendants(daemon.pid as number);
  daemon.kill("SIGKILL");
  await exited;
  // In a container they would go with it.
  for (const pid of family) killIfThere(pid);
}

async function descendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, "utf8").catch(() => "") : "";
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]));
  }
  const family = [root];
  for (const ancestor of family) {
    for (const [pid, parent] of parents) if (parent === ancestor) family.push(pid);
  }
  return family.slice(1);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
