// `npm run bench [-- <row> …]`: the benchmarks, with what they need.
import { spawn } from "node:child_process";
import path from "node:path";
import { fail } from "./steps.ts";
import { ensureEngineAndImage } from "./test/needs.ts";

try {
  await ensureEngineAndImage();
} catch (error) {
  fail(error);
}
// Memory is measured after a collection, which a program can only ask for with this switch.
const bench = path.resolve(import.meta.dirname, "../bench/run.ts");
const child = spawn(process.execPath, ["--expose-gc", bench, ...process.argv.slice(2)], { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
