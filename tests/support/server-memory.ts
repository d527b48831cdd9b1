// How much a running Cove's server holds: the launcher is one process, the server its child.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cove } from "./cove.ts";

/** By how many bytes the server grew at most while `work` went on. */
export async function serverGrowth<T>(
  cove: Cove,
  work: () => Promise<T>,
): Promise<{ grown: number; result: T }> {
  const pid = await serverPid(cove.process.pid ?? 0);
  const before = await residentBytes(pid);
  let most = before;
  let over = false;
  const watching = (async () => {
    while (!over) {
      most = Math.max(most, await residentBytes(pid));
      await sleep(50);
    }
  })();
  try {
    return { result: await work(), grown: most - before };
  } finally {
    over = true;
    await watching;
  }
}

/** The launcher's largest child that is a Node: Postgres is none, and nothing else is as large. */
export async function serverPid(launcher: number): Promise<number> {
  const sizes: [number, number][] = [];
  for (const name of await readdir("/proc")) {
    const status = /^\d+$/.test(name) ? await readFile(`/proc/${name}/status`, "utf8").catch(() => "") : "";
    const isOurs = new RegExp(`^PPid:\\t${launcher}$`, "m").test(status);
    const isNode = /^(node|MainThread|next-server)/.test(/^Name:\t(.*)$/m.exec(status)?.[1] ?? "");
    if (isOurs && isNode) sizes.push([await residentBytes(Number(name)), Number(name)]);
  }
  const [largest] = sizes.toSorted(([one], [other]) => other - one);
  if (!largest) throw new Error("The launcher has no server.");
  return largest[1];
}

export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
