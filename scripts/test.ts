// `npm test [-- <stage> …]`: gets what the tests need, runs the stages in order, ends with what failed and one line of counts.
// A stage that can't start fails with the cause; it never skips.
import { fail, line, seconds } from "./steps.ts";
import { interruption } from "./test/interruption.ts";
import { ensureEngineAndImage, ensureEngineRuns, ensurePrograms } from "./test/needs.ts";
import { takeOwnPlace } from "./test/own-place.ts";
import type { Outcome } from "./test/reports.ts";
import { STAGES, type Stage } from "./test/stages.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STAGES.some((stage) => stage.name === name));
if (unknown.length) {
  line(
    `✗ There is no stage "${unknown.join('", "')}". Stages: ${STAGES.map((stage) => stage.name).join(", ")}.`,
  );
  process.exit(1);
}

const stages = STAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const onlyForRoot = stages.filter(({ engine }) => engine).map(({ name }) => name);
if (onlyForRoot.length > 0 && process.getuid?.() !== 0) {
  const others = STAGES.filter(({ engine }) => !engine).map(({ name }) => name);
  fail(
    `The tests need root: they mount disks, start engines and become other users (${onlyForRoot.join(", ")}). ` +
      `Run \`sudo npm test\`, or only \`npm test -- ${others.join(" ")}\`.`,
  );
}

await ensurePrograms().catch(fail);
const place = await takeOwnPlace();

const total: Outcome = { passed: 0, failed: [] };
const summary: string[] = [];
// Building the image takes minutes and little of the machine; whether it worked is asked by the stage that needs it.
if (onlyForRoot.length > 0) await ensureEngineRuns().catch(() => undefined);
const image = onlyForRoot.length > 0 ? ensureEngineAndImage().catch(() => undefined) : undefined;
let beside: Promise<void>[] = [];
for (const stage of stages) {
  if (!stage.besidePrevious) {
    await Promise.all(beside);
    beside = [];
  }
  if (interruption.aborted) break;
  beside.push(count(stage));
}
await Promise.all(beside);

await image;
await place.remove().catch((error) => line(`✗ Not everything could be removed: ${error.message}`));
if (interruption.aborted) {
  line("✗ Interrupted.");
  process.exit(130);
}
line(`\n${summary.join("\n")}\n`);
for (const test of total.failed) line(`✗ ${test}\n`);
line(`${total.passed} passed, ${total.failed.length} failed`);
process.exit(total.failed.length > 0 || total.passed === 0 ? 1 : 0);

async function count(stage: Stage): Promise<void> {
  line(`\n── ${stage.name}: ${stage.about}`);
  const started = performance.now();
  const { passed, failed } = await run(stage);
  total.passed += passed;
  total.failed.push(...failed.map((test) => `${stage.name}: ${test}`));
  const result = `${failed.length ? "✗" : "✓"} ${stage.name.padEnd(9)} ${passed} passed, ${failed.length} failed`;
  summary.push(`${result.padEnd(46)} ${seconds(performance.now() - started)}`);
  line(summary.at(-1) ?? "");
}

async function run(stage: Stage): Promise<Outcome> {
  try {
    if (stage.engine) await ensureEngineAndImage();
    return await stage.run();
  } catch (error) {
    const cause = `This stage could not run: ${error instanceof Error ? error.message : error}`;
    if (!interruption.aborted) line(`✗ ${cause}`);
    return { passed: 0, failed: [cause] };
  }
}
