// Measures every row and prints the table. `npm run bench [-- --samples 20] [name …]` narrows it.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import Docker from "dockerode";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { benchContext } from "./context.ts";
import { measureFloor } from "./floor.ts";
import { machine } from "./machine.ts";
import { describeResult, inMs, measureRow, type Result } from "./measure-row.ts";
import { measureReferences } from "./references.ts";
import { rows } from "./rows.ts";

const started = performance.now();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { samples: { type: "string", default: "100" } },
});
const unknown = positionals.filter((wanted) => !rows.some(({ name }) => name === wanted));
if (unknown.length > 0) {
  console.error(
    `There is no row "${unknown.join('", "')}". Rows: ${rows.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(1);
}
const wanted = rows.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results: Result[] = [];

const image = process.env.COVE_SANDBOX_IMAGE ?? (await ensureImage(new Docker())).tag;
const context = benchContext(Number(values.samples), image);
const before = machine();
console.log(`${before.cpus} × ${before.cpu}, ${before.memoryGB} GB, load ${before.load}`);
const floor = await measureFloor(context);
console.log(
  `floor: fork+exec of true ${inMs(floor.true.median)}, of bash -c true ${inMs(floor.bash.median)}`,
);
const references = await measureReferences(context);
const { dockerExec, dockerodeExec, minimalServer, minimalServer16 } = references;
console.log(`references, one \`true\`: docker exec ${inMs(dockerExec.median)}, dockerode exec ${inMs(dockerodeExec.median)},
  minimal MCP server ${inMs(minimalServer.median)}, 16 clients of it ${minimalServer16.toFixed(0)} calls/s\n`);

for (const row of wanted) {
  const result = await measureRow(row, context);
  results.push(result);
  console.log(describeResult(result));
  if (wanted.length < rows.length) console.log(JSON.stringify(result.details, null, 1));
  // After each, so that an end nobody expected loses none of the others.
  else await save();
}
const missed = results.filter(({ ok }) => !ok).length;
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(`\n${results.length - missed} of ${results.length} within their bars, in ${minutes} min`);
// A row that failed may have left something running.
process.exit(missed > 0 ? 1 : 0);

async function save(): Promise<void> {
  const report = { date: new Date().toISOString(), machine: before, image, floor, references, results };
  await writeFile(
    path.join(import.meta.dirname, "results.json"),
    `${JSON.stringify(report, undefined, 2)}\n`,
  );
}
