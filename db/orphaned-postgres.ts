// Children of a Postgres server that was killed. They hold its shared memory, and no new server starts until they are gone.
import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { runningPostgres } from "./running-postgres.ts";

export interface Orphan {
  pid: number;
  /** Together with the number it names one process for ever. */
  startedAt: string;
}

/** Empty while the server runs, and where the kernel doesn't tell. */
export async function orphansOf(cluster: string): Promise<Orphan[]> {
  if (process.platform !== "linux" || (await runningPostgres(cluster))) return [];
  const directory = await realpath(cluster);
  const pids = (await readdir("/proc")).map(Number).filter(Boolean);
  const candidates = pids.map(async (pid) => {
    const [cwd, process] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => ""),
      readStat(pid).catch(() => undefined),
    ]);
    return cwd === directory && process?.name === "postgres" ? [{ pid, startedAt: process.startedAt }] : [];
  });
  return (await Promise.all(candidates)).flat();
}

/** What they were doing is undone by the recovery that the next server begins with. */
export async function killOrphans(orphans: Orphan[]): Promise<void> {
  for (const { pid, startedAt } of orphans) {
    const now = await readStat(pid).catch(() => undefined);
    if (now?.startedAt === startedAt) process.kill(pid, "SIGKILL");
  }
}

/** The name stands in brackets and may hold anything; after it come fields, the start being the 22nd of all. */
async function readStat(pid: number): Promise<{ name: string; startedAt: string }> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  return { name: text.slice(text.indexOf("(") + 1, end), startedAt: fields[19] ?? "" };
}
