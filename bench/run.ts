// Measures every row and prints the table. `node bench/run.ts [--samples 100] [name …]` narrows it.
// Run it with --expose-gc for steadier memory figures.

import { writeFile } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Docker from "dockerode";
import { ensureImage } from "#sandbox/build-image.ts";
import { benchContext } from "./context.ts";
import { measureFloor } from "./floor.ts";
import { passes, type Row } from "./row.ts";
import { download, gallery, noticing } from "./rows/artifacts.ts";
import { concurrentCommands, resumeFromPause, warmCommand } from "./rows/commands.ts";
import { consoleCell } from "./rows/console.ts";
import { crowd } from "./rows/crowd.ts";
import { oneMegabyte } from "./rows/files.ts";
import { firstToken } from "./rows/first-token.ts";
import { history } from "./rows/history.ts";
import { mcpCall, mcpCrowd, mcpList, mcpMillion, mcpOverhead } from "./rows/mcp.ts";
import { flood, idleMemory } from "./rows/memory.ts";
import { manyUsers, manyUsersWait, newSession, warmCell } from "./rows/python.ts";
import { newUser, stoppedSandbox } from "./rows/starts.ts";
import { transfers } from "./rows/transfers.ts";

const rows: Row[] = [
  ...[warmCommand, concurrentCommands, newUser, stoppedSandbox, resumeFromPause],
  ...[idleMemory, oneMegabyte, flood, warmCell, newSession, manyUsers, manyUsersWait, crowd],
  ...[firstToken, history, noticing, gallery, download, transfers, consoleCell],
  ...[mcpCall, mcpCrowd, mcpList, mcpOverhead, mcpMillion],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { samples: { type: "string", default: "100" } },
});
const docker = new Docker();
const image = process.env.COVE_SANDBOX_IMAGE ?? (await ensureImage(docker)).tag;
const context = benchContext(Number(values.samples), image);
const wanted = rows.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const floor = await measureFloor(context);
console.log(`floor: fork+exec of true ${ms(floor.true.median)}, of bash -c true ${ms(floor.bash.median)}\n`);
const results = [];
for (const row of wanted) {
  const { value, details } = await row.measure(context);
  const limit = "atMost" in row.bar ? `≤ ${row.bar.atMost}` : `≥ ${row.bar.atLeast}`;
  const verdict = passes(row, value) ? "ok  " : "MISS";
  console.log(`${verdict} ${value.toFixed(3).padStart(8)} ${row.unit.padEnd(2)} (${limit}) ${row.what}`);
  results.push({
    name: row.name,
    what: row.what,
    bar: limit,
    unit: row.unit,
    value,
    ok: passes(row, value),
    details,
  });
}
const machine = {
  cpu: os.cpus()[0]?.model,
  cpus: os.cpus().length,
  kernel: os.release(),
  node: process.version,
};
const report = { date: new Date().toISOString(), machine, image, floor, results };
const file = positionals.length === 0 ? join(import.meta.dirname, "results.json") : undefined;
if (file) await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
else console.log(JSON.stringify(report, null, 1));
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
