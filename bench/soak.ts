// `npm run bench -- soak [--minutes 30] [--users 20] [--pause 2500]`: moderate load for long, in rounds of some minutes. After
// each round everybody rests, and what the installation still holds is counted: after the last no more than after the first.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "#scripts/free-port.ts";
import { startCove } from "../tests/support/cove.ts";
import { serverPid } from "../tests/support/server-memory.ts";
import { printChecks } from "./load/checks.ts";
import { type CrowdReport, crowd, describeCrowd } from "./load/crowd.ts";
import { CALLS } from "./load/profile.ts";
import { type Sample, takeSample } from "./load/sample.ts";
import { openServerHeap } from "./load/server-heap.ts";
import { deleteArtifacts, deleteSandbox, inTurns, type LoadUser, newUsers } from "./load/users.ts";
import { machine } from "./machine.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    users: { type: "string", default: "20" },
    pause: { type: "string", default: "2500" },
  },
});
const [minutes, count, pauseMs] = [Number(values.minutes), Number(values.users), Number(values.pause)];
const rounds = Math.max(2, Math.ceil(minutes / 5));
// Sandboxes pause between calls and stop between rounds, so that all of their life is gone through again and again.
const IDLE = { COVE_IDLE_PAUSE: "2", COVE_IDLE_STOP: "20", COVE_WARM_POOL: "1" };
// Longer than a sandbox needs to stop, and a connection that nobody uses to be closed.
const REST_MS = 45_000;

const before = machine();
console.log(
  `${count} users for ${minutes} min in ${rounds} rounds, pauses of ${pauseMs} ms on average; ` +
    `${before.cpus} × ${before.cpu}, ${before.memoryGB} GB, load ${before.load}`,
);
const inspectorPort = await freePort();
const cove = await startCove({ ...IDLE, NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectorPort}` });
let users: LoadUser[] = [];
try {
  users = await newUsers(cove, count, Math.ceil(count / 4));
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await inTurns(users, (user) => deleteSandbox(user).catch(console.error));
  await cove.stop();
}

async function soak(): Promise<boolean> {
  const pid = await serverPid(cove.process.pid ?? 0);
  const heap = await openServerHeap(pid, inspectorPort);
  const reports: CrowdReport[] = [];
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    await startOver(round);
    const report = await crowd(users, { seconds: (minutes * 60) / rounds, pauseMs });
    // Everybody has a sandbox then, whoever gave theirs up.
    await inTurns(users, CALLS.bash);
    await sleep(REST_MS);
    const sample = await takeSample(cove, pid, heap);
    reports.push(report);
    samples.push(sample);
    console.log(`\nround ${round + 1}: ${describeSample(sample)}\n${describeCrowd(report)}`);
  }
  heap.close();
  const [first, last] = [samples[0], samples.at(-1)] as [Sample, Sample];
  const grown = (key: Exclude<keyof Sample, "ownerless">) => Math.max(0, last[key] - first[key]);
  console.log();
  const ok = printChecks([
    { what: "errors", value: reports.reduce((sum, { errors }) => sum + errors, 0), atMost: 0, unit: "" },
    { what: "resident memory grew", value: grown("residentMB"), atMost: 32, unit: " MB" },
    { what: "heap grew", value: grown("heapMB"), atMost: 8, unit: " MB" },
    // A connection to Postgres or the engine may be open in one moment and not in the other.
    { what: "file descriptors grew", value: grown("descriptors"), atMost: 4, unit: "" },
    { what: "containers grew", value: grown("containers"), atMost: 0, unit: "" },
    { what: "loop devices grew", value: grown("loopDevices"), atMost: 0, unit: "" },
    { what: "without an owner, at the end", value: sumOf(last.ownerless), atMost: 0, unit: "" },
    { what: "unfinished executions, at the end", value: last.unfinished, atMost: 0, unit: "" },
  ]);
  const report = { date: new Date().toISOString(), machine: before, users: count, minutes, pauseMs };
  const file = path.join(import.meta.dirname, "results-soak.json");
  await writeFile(file, `${JSON.stringify({ ...report, samples, reports }, undefined, 2)}\n`);
  return ok;
}

/** Some give up what they have, others each round: their disks, containers and contents must go. */
async function startOver(round: number): Promise<void> {
  const leaving = users.filter((_, index) => index % rounds === round);
  await inTurns(leaving, async (user) => {
    await deleteArtifacts(user);
    await deleteSandbox(user);
  });
}

function describeSample({ residentMB, heapMB, ...counts }: Sample): string {
  const { descriptors, containers, loopDevices, ownerless, unfinished } = counts;
  return (
    `${residentMB.toFixed(0)} MB resident, ${heapMB.toFixed(1)} MB heap, ${descriptors} descriptors, ${containers} containers, ` +
    `${loopDevices} loop devices, ${unfinished} unfinished, without an owner ${JSON.stringify(ownerless)}`
  );
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
