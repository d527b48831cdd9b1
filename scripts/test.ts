// `npm test [-- <stage> …]`: gets what the tests need, runs the stages in order, ends with one line of counts.
// A stage that can't start fails with the cause; it never skips.
import { fail, line, seconds } from "./steps.ts";
import { ensureEngineAndImage, ensureEngineRuns, ensurePrograms } from "./test/needs.ts";
import { STAGES, type Stage } from "./test/stages.ts";
import type { Counts } from "./test/tools.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STAGES.some((stage) => stage.name === name));
if (unknown.length) {
  line(
    `✗ There is no stage "${unknown.join('", "')}". Stages: ${STAGES.map((stage) => stage.name).join(", ")}.`,
  );
  process.exit(1);
}

await ensurePrograms().catch(fail);

const total: Counts = { passed: 0, failed: 0 };
const summary: string[] = [];
const stages = STAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
// Building the image takes minutes and little of the machine; whether it worked is asked by the stage that needs it.
if (stages.some(({ engine }) => engine)) {
  await ensureEngineRuns().catch(() => undefined);
  ensureEngineAndImage().catch(() => undefined);
}
for (const stage of stages) {
  line(`\n── ${stage.name}: ${stage.about}`);
  const started = performance.now();
  const { passed, failed } = await run(stage);
  total.passed += passed;
  total.failed += failed;
  const result = `${failed ? "✗" : "✓"} ${stage.name.padEnd(9)} ${passed} passed, ${failed} failed`;
  summary.push(`${result.padEnd(46)} ${seconds(performance.now() - started)}`);
  line(summary.at(-1) ?? "");
}

line(`\n${summary.join("\n")}\n`);
line(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

async function run(stage: Stage): Promise<Counts> {
  try {
    if (stage.engine) await ensureEngineAndImage();
    return await stage.run();
  } catch (error) {
    line(`✗ This stage could not run: ${error instanceof Error ? error.message : error}`);
    return { passed: 0, failed: 1 };
  }
}
