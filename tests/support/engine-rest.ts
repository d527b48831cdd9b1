// Whether the container engine itself is at rest: what its daemon spent of a CPU, whoever it worked for.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const WINDOW_MS = 400;
/** The kernel counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** Looks for a moment; at rest is less than a tenth of one CPU. */
export async function engineRests(): Promise<boolean> {
  const before = await cpuMs();
  await sleep(WINDOW_MS);
  return (await cpuMs()) - before < WINDOW_MS / 10;
}

async function cpuMs(): Promise<number> {
  const pid = (await readFile("/run/docker.pid", "utf8")).trim();
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
