// What `npm start`, `npm run dev` and the images do, in order; and the same backwards when it is over.
import { spawn } from "node:child_process";
import path from "node:path";
import { startEmbeddedPostgres } from "#db/embedded-postgres.ts";
import { type Env, parseEnv } from "#env.ts";
import { ensureImage } from "#sandbox/build-image.ts";
import { connectEngine } from "#sandbox/connect-engine.ts";
import { buildIfChanged } from "./build.ts";
import { ensureDataDirectory, ensureSecret } from "./data-directory.ts";
import { ensureEngine } from "./docker-engine.ts";
import { loadDotEnv } from "./dot-env.ts";
import { requireFreePort } from "./free-port.ts";
import { missingModelKey } from "./model-key.ts";
import { requireImage, requireRuntime, requireUsableAllowlist } from "./sandbox-settings.ts";
import { type Mode, type Report, startServer } from "./server.ts";
import { fail, line, type Step, seconds, step } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "..");

export async function launch(mode: Mode): Promise<void> {
  const started = performance.now();
  const undo: Undo[] = [];
  const stop = stopSignal();
  let failure: unknown;
  try {
    loadDotEnv(root);
    const env = parseEnv(process.env);
    const server = await bringUp(mode, env, undo, stop);
    announce(env, server, performance.now() - started);
    const code = await Promise.race([server.ended, aborted(stop)]);
    if (code !== undefined) throw new Error(`The server ended by itself (exit code ${code}).`);
  } catch (error) {
    // Whatever breaks because we were told to stop is not a failure.
    if (!stop.aborted) failure = error;
  }
  for (const takeDown of undo.reverse()) {
    // One that fails must not keep the others from their turn.
    await takeDown().catch((error) => {
      failure ??= error;
    });
  }
  if (failure) fail(failure);
  process.exit(0);
}

type Undo = () => Promise<void>;

async function bringUp(mode: Mode, env: Env, undo: Undo[], stop: AbortSignal) {
  requireUsableAllowlist(env);
  await requireFreePort(env.PORT);
  await ensureDataDirectory(env.COVE_DATA_DIR);
  const secret = await ensureSecret(env.COVE_DATA_DIR, env.AUTH_SECRET);

  await step("Docker engine", async (s) =>
    s.label(`Docker engine ${await ensureEngine(env, s, { install: mode !== "serve" })}`),
  );
  stop.throwIfAborted();

  const image = await step("Sandbox image", (s) => openImage(env, s, stop));

  const database = await step("Database", (s) => openDatabase(env, undo, s));
  stop.throwIfAborted();

  const serverEnv: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: mode === "dev" ? "development" : "production",
    COVE_DATA_DIR: env.COVE_DATA_DIR,
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    // next-auth builds the addresses that providers return to from this.
    AUTH_URL: env.COVE_URL,
    COVE_BUILD_DIR: env.COVE_BUILD_DIR,
    COVE_SANDBOX_IMAGE: image,
  };
  await step("Tables up to date", () => runScript("prepare-database", serverEnv, stop));
  if (mode === "start") {
    await step("Application", async (s) =>
      s.label(
        (await buildIfChanged(root, env.COVE_BUILD_DIR, stop)) ? "Application built" : "Application is built",
      ),
    );
  }
  const server = await step("Server", () =>
    startServer({ root, mode, port: env.PORT, env: serverEnv, onLine: line, signal: stop }),
  );
  database.keep();
  undo.push(server.stop);
  return { ...server, movedTo: database.movedTo };
}

async function openImage(env: Env, s: Step, signal: AbortSignal): Promise<string> {
  const engine = connectEngine(env.DOCKER_HOST, env.DOCKER_CERT_PATH);
  if (env.COVE_SANDBOX_IMAGE) await requireImage(engine, env.COVE_SANDBOX_IMAGE);
  await requireRuntime(engine, env);
  const { tag, built } = env.COVE_SANDBOX_IMAGE
    ? { tag: env.COVE_SANDBOX_IMAGE, built: false }
    : await ensureImage(engine, { onProgress: s.progress, signal });
  s.label(built ? `Sandbox image built: ${tag}` : `Sandbox image ${tag}`);
  return tag;
}

async function openDatabase(env: Env, undo: Undo[], s: Step) {
  if (env.DATABASE_URL) {
    s.label("Database from DATABASE_URL");
    return { url: env.DATABASE_URL, keep: () => undefined };
  }
  const { url, movedTo, started, stop } = await startEmbeddedPostgres(env.COVE_DATA_DIR);
  s.label(started ? "Embedded Postgres started" : "Embedded Postgres was already running");
  if (started) undo.push(stop);
  // One that was running may serve another Cove, which will refuse us; once we serve ourselves, it was a killed
  // launcher's and is ours to stop.
  return { url, movedTo, keep: () => started || undo.push(stop) };
}

// It listens on every interface, so this is worth a word.
const OPEN_SIGN_UP =
  "open to whoever reaches this machine; the first account is the administrator's. COVE_SIGNUP=closed shuts it";

function announce(env: Env, { movedTo, report }: { movedTo?: string; report: Report }, ms: number): void {
  line("");
  line(`Cove is ready at ${env.COVE_URL}  (${seconds(ms)})`);
  line(`  Sign-up  ${env.COVE_SIGNUP === "open" ? OPEN_SIGN_UP : "closed"}`);
  line(`  Quota    ${quotaInWords(env, report)}`);
  line(`  Egress   ${env.COVE_EGRESS}`);
  line(`  Model    ${modelInWords(env)}`);
  line(`  Data     ${env.COVE_DATA_DIR}`);
  if (movedTo) line(`           Postgres in ${movedTo}, because its user can't reach this directory`);
  line("Ctrl-C stops it.");
}

function quotaInWords(env: Env, { quota, problem }: Report): string {
  const size = `${(env.COVE_SANDBOX_DISK / 2 ** 30).toFixed(1).replace(".0", "")} GB for each workspace`;
  if (!quota) return `unknown: the sandboxes could not be opened. ${problem ?? "See the log."}`;
  return quota.kind === "hard" ? `hard, ${size}` : `soft, ${size}. ${quota.reason}`;
}

function modelInWords(env: Env): string {
  const missing = missingModelKey(env);
  if (missing) return `${env.COVE_MODEL} for people with a key of their own; ${missing} is not set`;
  if (env.COVE_MODEL) return env.COVE_MODEL;
  if (env.GEMINI_API_KEY) return "Google";
  if (env.OPENAI_API_KEY) return "OpenAI";
  return env.OPENAI_BASE_URL ?? "none; set GEMINI_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL for one";
}

/** A script of ours in its own process; what it prints to stderr is the reason when it fails. */
function runScript(name: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [path.join(root, "scripts", `${name}.ts`)], {
    cwd: root,
    env,
    signal,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(stderr.replace(/^✗ /, "").trim())),
    );
  });
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
