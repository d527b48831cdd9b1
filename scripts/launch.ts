// What `npm start`, `npm run dev` and the images do, in order; and the same backwards when it is over.
import { spawn } from "node:child_process";
import { isIPv6 } from "node:net";
import path from "node:path";
import { type Env, isLoopback, parseEnv } from "#env.ts";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { buildIfChanged } from "./build.ts";
import { ensureDataDirectory, ensureSecret, requireFinishedRestore } from "./data-directory.ts";
import { ensureEngine } from "./docker-engine.ts";
import { loadDotEnv } from "./dot-env.ts";
import { requireFreePort } from "./free-port.ts";
import { localUrl } from "./local-url.ts";
import { missingModelKey } from "./model-key.ts";
import { openDatabase, type Undo } from "./open-database.ts";
import { requireImage, requireRuntime, requireUsableAllowlist } from "./sandbox-settings.ts";
import { type Mode, type Report, startServer } from "./server.ts";
import { fail, line, type Step, seconds, step } from "./steps.ts";
import { supervise } from "./supervise.ts";

const root = path.resolve(import.meta.dirname, "..");
/** Of the first account; see lib/accounts/first-account.ts. */
const CODE = /^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$/m;

export async function launch(mode: Mode): Promise<void> {
  const started = performance.now();
  const undo: Undo[] = [];
  const stop = stopSignal();
  let failure: unknown;
  try {
    loadDotEnv(root);
    const env = parseEnv(process.env);
    const { supervisions, ...report } = await bringUp(mode, env, undo, stop);
    announce(env, report, performance.now() - started);
    await Promise.race([aborted(stop), ...supervisions.map(({ givenUp }) => givenUp)]);
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

async function bringUp(mode: Mode, env: Env, undo: Undo[], stop: AbortSignal) {
  requireUsableAllowlist(env);
  await requireFreePort(env);
  await ensureDataDirectory(env.COVE_DATA_DIR);
  await requireFinishedRestore(env.COVE_DATA_DIR);
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
  const printed = await step("Tables up to date", () => runScript("prepare-database", serverEnv, stop));
  if (mode === "start") {
    await step("Application", async (s) =>
      s.label(
        (await buildIfChanged(root, env.COVE_BUILD_DIR, stop)) ? "Application built" : "Application is built",
      ),
    );
  }
  const start = (signal?: AbortSignal) =>
    startServer({
      root,
      mode,
      url: localUrl(env.COVE_LISTEN, env.PORT),
      env: serverEnv,
      onLine: line,
      signal,
    });
  const first = await step("Server", () => start(stop));
  const postgres = database.keep();
  const server = supervise({
    name: "The server",
    current: first,
    // It begins with the database's lock.
    start: () => (postgres?.running() ?? Promise.resolve()).then(() => start()),
    say: line,
  });
  undo.push(server.stop);
  const supervisions = postgres ? [server, postgres] : [server];
  return { supervisions, report: first.report, movedTo: database.movedTo, code: CODE.exec(printed)?.[0] };
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

const OPEN_SIGN_UP = "open; the first account is the administrator's. COVE_SIGNUP=closed shuts it";

interface Announcement {
  movedTo?: string;
  report: Report;
  /** Where the first account needs one. */
  code?: string;
}

function announce(env: Env, { movedTo, report, code }: Announcement, ms: number): void {
  line("");
  line(`Cove is ready at ${env.COVE_URL}  (${seconds(ms)})`);
  line(`  Listens  ${listenInWords(env)}`);
  line(`  Sign-up  ${env.COVE_SIGNUP === "open" ? OPEN_SIGN_UP : "closed"}`);
  if (code) line(`  Code     ${code} is what the first account needs, on the sign-up page`);
  line(`  Quota    ${quotaInWords(env, report)}`);
  line(`  Egress   ${env.COVE_EGRESS}`);
  line(`  Model    ${modelInWords(env)}`);
  line(`  Data     ${env.COVE_DATA_DIR}`);
  if (movedTo) line(`           Postgres in ${movedTo}, because its user can't reach this directory`);
  line("Ctrl-C stops it.");
}

function listenInWords({ COVE_LISTEN, COVE_URL, PORT, loopbackOnly }: Env): string {
  const place = `on ${isIPv6(COVE_LISTEN) ? `[${COVE_LISTEN}]` : COVE_LISTEN}:${PORT}`;
  if (loopbackOnly) return `${place}, for this machine only. COVE_LISTEN=0.0.0.0 opens it to others`;
  return isLoopback(COVE_LISTEN)
    ? `${place}, for a proxy on this machine that answers as ${new URL(COVE_URL).hostname}`
    : `${place}, open to whoever reaches it`;
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

/** A script of ours in its own process, and what it prints; to stderr that is the reason when it fails. */
function runScript(name: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [path.join(root, "scripts", `${name}.ts`)], {
    cwd: root,
    env,
    signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(stdout) : reject(new Error(stderr.replace(/^✗ /, "").trim())),
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
