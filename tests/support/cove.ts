// A whole Cove for a test: its own data directory, port and installation, started the way people start it.
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { installationName } from "#db/installation-name.ts";
import { connectEngine } from "#sandbox/connect-engine.ts";
import { freePort } from "#scripts/free-port.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface Cove {
  url: string;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** What it printed so far. */
  output(): string;
  process: ChildProcess;
  /** As Ctrl-C does; resolves with the exit code. */
  stop(): Promise<number | null>;
}

type Variables = Record<string, string | undefined>;

// Nobody runs code in most of these tests, so no container waits for it.
const FRUGAL = { COVE_WARM_POOL: "0", COVE_SANDBOX_DISK: "64m" };

/** Apart from the one of a running server, which the tests never disturb. */
export const TEST_BUILD = ".next-test";
export const root = path.resolve(import.meta.dirname, "../..");

export async function startCove(overrides: Variables = {}, copy?: string): Promise<Cove> {
  const cove = await spawnCove(overrides, copy);
  const ended = once(cove.process, "exit");
  await waitForOutput(cove, /Ctrl-C stops it/, ended);
  return cove;
}

/**
 * Starts it without waiting, by the script behind `npm start`; from a copy of the sources by `npm start` itself, as a
 * newcomer would.
 */
export async function spawnCove(overrides: Variables = {}, copy?: string): Promise<Cove> {
  const own = overrides.COVE_DATA_DIR ?? (copy && path.join(copy, ".data"));
  const dataDir = own ?? (await temporaryDirectory());
  const port = overrides.PORT ?? String(await freePort());
  const env = cleanEnv({
    PORT: port,
    COVE_DATA_DIR: dataDir,
    COVE_BUILD_DIR: TEST_BUILD,
    ...FRUGAL,
    ...overrides,
  });
  const child = copy
    ? spawn("npm", ["start"], { cwd: copy, env: withoutOurBinaries(env), stdio: ["ignore", "pipe", "pipe"] })
    : spawn(process.execPath, ["scripts/start.ts"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const ended = once(child, "exit");
  return {
    url: `http://localhost:${port}`,
    dataDir,
    env,
    output: () => output,
    process: child,
    async stop() {
      if (child.exitCode === null) child.kill("SIGINT");
      await ended;
      if (!own) {
        await removeSharedVolume(dataDir);
        await rm(dataDir, { recursive: true, force: true });
      }
      return child.exitCode;
    },
  };
}

/** Our environment without what would steer a Cove: a developer's own settings must not change what is tested. */
export function cleanEnv(overrides: Variables = {}): NodeJS.ProcessEnv {
  const steering =
    /^(COVE_|AUTH_|OPENAI_|GEMINI_|NEXT_|__NEXT|VITEST|PLAYWRIGHT|DATABASE_URL$|PORT$|NODE_ENV$|NODE_OPTIONS$)/;
  const ours: Variables = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !steering.test(name)),
  );
  return { ...ours, ...overrides } as NodeJS.ProcessEnv;
}

/** What an installation keeps on the engine between starts, besides workspaces. */
export async function removeSharedVolume(dataDir: string): Promise<void> {
  const name = await installationName(dataDir);
  const volume = connectEngine(process.env.DOCKER_HOST).getVolume(`cove-${name}-shared`);
  // Absent when the start failed before it was made.
  await volume.remove().catch((error) => {
    if (error.statusCode !== 404) throw error;
  });
}

/** A newcomer's shell finds the system's Node, not the one in our packages. */
function withoutOurBinaries(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const PATH = env.PATH?.split(path.delimiter).filter((entry) => !entry.includes("node_modules"));
  return { ...env, PATH: PATH?.join(path.delimiter), COVE_BUILD_DIR: undefined, COVE_DATA_DIR: undefined };
}

async function waitForOutput(cove: Cove, pattern: RegExp, ended: Promise<unknown>): Promise<void> {
  const seen = new Promise<void>((resolve) => {
    const look = () => pattern.test(cove.output()) && resolve();
    cove.process.stdout?.on("data", look);
    look();
  });
  const failed = ended.then(() => {
    throw new Error(`Cove did not start:\n${cove.output()}`);
  });
  await Promise.race([seen, failed]);
}

function once(child: ChildProcess, event: "exit"): Promise<void> {
  return new Promise((resolve) => child.once(event, () => resolve()));
}
