// `npm run doctor`: checks what Cove needs, one line each, with the fix where something is wrong. It changes nothing.
import path from "node:path";
import { type Env, EnvError, parseEnv } from "#env.ts";
import {
  checkDatabase,
  checkDataDirectory,
  checkEgress,
  checkEngine,
  checkImage,
  checkKeys,
  checkNode,
  checkQuota,
} from "./doctor/checks.ts";
import { loadDotEnv } from "./dot-env.ts";
import { line } from "./steps.ts";

export interface Finding {
  ok: boolean;
  says: string;
  fix?: string;
}

const CHECKS: [string, (env: Env) => Promise<Finding>][] = [
  ["Node", checkNode],
  ["Data", checkDataDirectory],
  ["Engine", checkEngine],
  ["Image", checkImage],
  ["Database", checkDatabase],
  ["Quota", checkQuota],
  ["Egress", checkEgress],
  ["Keys", checkKeys],
];

loadDotEnv(path.resolve(import.meta.dirname, ".."));
process.exit((await examine()) ? 0 : 1);

async function examine(): Promise<boolean> {
  let env: Env;
  try {
    env = parseEnv(process.env);
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    report("Settings", { ok: false, says: error.message, fix: "Correct it in the environment or in .env." });
    return false;
  }
  let healthy = true;
  for (const [name, check] of CHECKS) {
    const finding = await check(env).catch((error) => ({ ok: false, says: String(error?.message ?? error) }));
    report(name, finding);
    healthy &&= finding.ok;
  }
  return healthy;
}

function report(name: string, { ok, says, fix }: Finding): void {
  line(`${ok ? "✓" : "✗"} ${name.padEnd(9)} ${says}${fix ? `  → ${fix}` : ""}`);
}
