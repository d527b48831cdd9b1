// `npm run bench -- load [--users 100] [--python 25] [--seconds 120] [--pause 250]`: many people at once on the production
// server with its usual limits, over HTTP; then the same beside somebody who floods it.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "#scripts/free-port.ts";
import { startCove } from "../tests/support/cove.ts";
import { serverPid } from "../tests/support/server-memory.ts";
import { printChecks } from "./load/checks.ts";
import { crowd, describeCrowd } from "./load/crowd.ts";
import { CALLS } from "./load/profile.ts";
import { openServerHeap } from "./load/server-heap.ts";
import { startFlooder } from "./load/start-flooder.ts";
import { deleteSandbox, inTurns, type LoadUser, newUsers } from "./load/users.ts";
import { type Held, watchMemory } from "./load/watch-memory.ts";
import { machine } from "./machine.ts";

const { values } = parseArgs({
  options: {
    users: { type: "string", default: "100" },
    python: { type: "string" },
    seconds: { type: "string", default: "120" },
    pause: { type: "string", default: "250" },
  },
});
const count = Number(values.users);
const withPython = Number(values.python ?? Math.ceil(count / 4));
const [seconds, pauseMs] = [Number(values.seconds), Number(values.pause)];

const before = machine();
console.log(
  `${count} users, ${withPython} of them with Python, for ${seconds} s, pauses of ${pauseMs} ms on average; ` +
    `${before.cpus} × ${before.cpu}, ${before.memoryGB} GB, load ${before.load}`,
);
const inspectorPort = await freePort();
const cove = await startCove({ NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectorPort}` });
let people: LoadUser[] = [];
try {
  // One more, who floods.
  people = await newUsers(cove, count + 1, withPython);
  process.exitCode = (await run(people)) ? 0 : 1;
} finally {
  await inTurns(people, (user) => deleteSandbox(user).catch(console.error));
  await cove.stop();
}

async function run(people: LoadUser[]): Promise<boolean> {
  const [users, flooder] = [people.slice(0, count), people[count] as LoadUser];
  // Sandboxes and interpreters are there before anything is measured; the table has rows about how fast they start.
  await inTurns(people, async (user) => {
    await CALLS.bash(user);
    if (user.python) await CALLS.python(user);
  });
  await crowd(users, { seconds: Math.min(15, seconds / 4), pauseMs });

  const pid = await serverPid(cove.process.pid ?? 0);
  const heap = await openServerHeap(pid, inspectorPort);
  const { result: alone, memory } = await watchMemory({ pid, heap, seconds }, () =>
    crowd(users, { seconds, pauseMs }),
  );
  heap.close();
  console.log(describeCrowd(alone));
  const [beside, flood] = await Promise.all([
    crowd(users, { seconds: seconds / 2, pauseMs }),
    startFlooder(flooder, seconds / 2),
  ]);
  console.log(`\nbeside a flooder: ${flood.answered} of its calls answered, ${flood.refused} refused`);
  console.log(`${describeCrowd(beside)}\n`);

  const grown = (key: keyof Held) => memory.atEnd[key] - memory.afterFirstQuarter[key];
  const ok = printChecks([
    { what: "errors", value: alone.errors + beside.errors + flood.errors, atMost: 0, unit: "" },
    { what: "heap, after the first quarter and at the end", value: grown("heapMB"), atMost: 16, unit: " MB" },
    { what: "resident, the same", value: grown("residentMB"), atMost: 64, unit: " MB" },
    {
      what: "p95 beside a flooder, against without",
      value: beside.ms.p95 / alone.ms.p95,
      atMost: 2,
      unit: " ×",
    },
  ]);
  const report = {
    ...{ date: new Date().toISOString(), machine: before, users: count, withPython, seconds, pauseMs },
    ...{ alone, memory, beside, flood },
  };
  const file = path.join(import.meta.dirname, "results-load.json");
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
  return ok;
}
