// A whole Cove for a test: its own data directory, port and installation, started the way people start it.
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { knownInstallationName } from "#db/installation-name.ts";
import { ELSEWHERE } from "#db/postgres-place.ts";
import { VARIABLES } from "#env.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
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

// Nobody runs code in most of these tests, so no container waits for it. They come from many addresses, as behind a proxy.
const FRUGAL = { COVE_WARM_POOL: "0", COVE_SANDBOX_DISK: "64m", COVE_TRUSTED_PROXIES: "loopback" };

/** Apart from the one of a running server, which the tests never disturb. */
export const TEST_BUILD = ".next-test";
export const root = path.resolve(import.meta.dirname, "../..");

export async function startCove(
  overrides: Variables = {},
  copy?: string,
  command?: "start" | "dev",
): Promise<Cove> {
  const cove = await spawnCove(overrides, copy, command);
  const ended = once(cove.process, "exit");
  await waitForOutput(cove, /Ctrl-C stops it/, ended);
  return cove;
}

/**
 * Starts it without waiting, by the script behind the command; from a copy of the sources by the command itself, as a
 * newcomer would.
 */
export async function spawnCove(
  overrides: Variables = {},
  copy?: string,
  command: "start" | "dev" = "start",
): Promise<Cove> {
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
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  const child = copy
    ? spawn("npm", ["run", command], { cwd: copy, env: withoutOurBinaries(env), stdio })
    : spawn(process.execPath, [`scripts/${command}.ts`], { cwd: root, env, stdio });
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
      if (!own) await removeInstallation(dataDir);
      return child.exitCode;
    },
  };
}

/**
 * Our environment without what would steer a Cove: a developer's own settings must not change what is tested. Each variable
 * is set, to nothing, because what is not set at all would be taken from an `.env` file.
 */
export function cleanEnv(overrides: Variables = {}): NodeJS.ProcessEnv {
  const steering = /^(COVE_|AUTH_|OPENAI_|GEMINI_|NEXT_|__NEXT|VITEST|PLAYWRIGHT|NODE_ENV$|NODE_OPTIONS$)/;
  const ours = Object.entries(process.env).filter(([name]) => !steering.test(name));
  const nothing = VARIABLES.filter((name) => name !== "DOCKER_HOST").map((name) => [name, ""]);
  // Which engine there is they may say, but not in a file.
  const engine = { DOCKER_HOST: process.env.DOCKER_HOST ?? "" };
  return { ...Object.fromEntries([...ours, ...nothing]), ...engine, ...overrides } as NodeJS.ProcessEnv;
}

/** All that is left of a Cove that was stopped: its data, and what it keeps on the engine and elsewhere on this machine. */
export async function removeInstallation(dataDir: string): Promise<void> {
  const name = await knownInstallationName(dataDir);
  if (name) {
    for (const role of ["shared", "owner"]) {
      const volume = connectEngine(process.env.DOCKER_HOST).getVolume(`cove-${name}-${role}`);
      // Absent when the start failed before it was made.
      await volume.remove().catch((error) => {
        if (error.statusCode !== 404) throw error;
      });
    }
    await rm(path.join(ELSEWHERE, name), { recursive: true, force: true });
  }
  await rm(dataDir, { recursive: true, force: true });
}

/** A newcomer's shell finds the system's Node, not the one in our packages. */
function withoutOurBinaries(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const PATH = env.PATH?.split(path.delimiter).filter((entry) => !entry.includes("node_modules"));
  return { ...env, PATH: PATH?.join(path.delimiter), COVE_BUILD_DIR: undefined, COVE_DATA_DIR: undefined };
}

async function waitForOutput(cove: Cove, pattern: RegExp, ended: Promise<unknown>): Promise<void> {
  const { stdout } = cove.process;
  const seen = new Promise<void>((resolve) => {
    const look = () => {
      if (!pattern.test(cove.output())) return;
      // From here on each line that is logged would have all before it looked through.
      stdout?.off("data", look);
      resolve();
    };
    stdout?.on("data", look);
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
