// `npm run bench [-- <row> … | load | soak]`: the benchmarks, with what they need.
import { spawn } from "node:child_process";
import path from "node:path";
import { root, TEST_BUILD } from "../tests/support/cove.ts";
import { buildIfChanged } from "./build.ts";
import { fail, step } from "./steps.ts";
import { ensureChromium, ensureEngineAndImage, ensurePrograms } from "./test/needs.ts";

// The table is the one that needs no name.
const RUNS = ["load", "soak"];

const [first = "", ...rest] = process.argv.slice(2);
const run = RUNS.includes(first) ? first : undefined;

try {
  await ensurePrograms();
  await ensureEngineAndImage();
  if (!run) await ensureChromium();
  await step("Application built", () => buildIfChanged(root, TEST_BUILD));
} catch (error) {
  fail(error);
}
// Memory is measured after a collection, which a program can only ask for with this switch.
const bench = path.join(root, "bench", `${run ?? "run"}.ts`);
const child = spawn(process.execPath, ["--expose-gc", bench, ...(run ? rest : process.argv.slice(2))], {
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
