// Whether the Postgres of a cluster runs, by its pid file and what the kernel says of that process. Looks, and changes nothing.
import { execFile } from "node:child_process";
import { readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export interface RunningPostgres {
  pid: number;
  /** The directory of its socket; not known in its very first moments. */
  socket?: string;
}

const exec = promisify(execFile);

export async function runningPostgres(cluster: string): Promise<RunningPostgres | undefined> {
  const file = await readFile(path.join(cluster, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , , socket] = file.split("\n");
  if (!Number(pid) || !(await servesFrom(Number(pid), cluster))) return undefined;
  return { pid: Number(pid), socket: socket || undefined };
}

/** The number may long be a stranger's, or a zombie's; a real server works in its data directory. */
async function servesFrom(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== "linux") {
    const { stdout } = await exec("ps", ["-o", "comm=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
    return stdout.includes("postgres");
  }
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => "");
  return directory === (await realpath(cluster).catch(() => undefined));
}
