// `npm run compose -- <words>`: docker compose, on hosts where the images can't be built by its own defaults.
import { spawn } from "node:child_process";
import path from "node:path";
import { env } from "#env.ts";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { buildArguments, composeSettings } from "./build-settings.ts";
import { composeCommand } from "./compose-command.ts";
import { loadDotEnv } from "./dot-env.ts";
import { fail, type Step, step } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "..");

try {
  loadDotEnv(root);
  const command = await composeCommand();
  if (!command) throw new Error("There is no docker compose here. Install it (on Debian: docker-compose).");
  const settings = await step("What images are made of", prepare);
  const [program, ...words] = command;
  const child = spawn(program, [...words, ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
    env: { ...settings, ...process.env },
  });
  child.on("error", fail);
  child.on("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  fail(error);
}

/** The sandbox image as well: the gate builds it from a base that a registry has, and knows no other way. */
async function prepare({ progress }: Step): Promise<Record<string, string>> {
  const { DOCKER_HOST, DOCKER_CERT_PATH, COVE_SANDBOX_IMAGE } = env();
  const engine = connectEngine(DOCKER_HOST, DOCKER_CERT_PATH);
  if (!COVE_SANDBOX_IMAGE) await ensureImage(engine, { onProgress: progress });
  return composeSettings(await buildArguments(engine, progress));
}
