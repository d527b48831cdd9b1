// A whole Cove for a test: its own data directory, port and installation, started the way people start it.
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
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

export const root = path.resolve(import.meta.dirname, "../..");

export async function startCove(overrides: Variables = {}): Promise<Cove> {
  const cove = await spawnCove(overrides);
  const ended = once(cove.process, "exit");
  await waitForOutput(cove, /Cove is ready/, ended);
  return cove;
}

/** Starts it without waiting: for tests of starts that fail. */
export async function spawnCove(overrides: Variables = {}): Promise<Cove> {
  const dataDir = overrides.COVE_DATA_DIR ?? (await temporaryDirectory());
  const port = overrides.PORT ?? String(await freePort());
  const env = cleanEnv({ PORT: port, COVE_DATA_DIR: dataDir, COVE_BUILD_DIR: ".next-test", ...overrides });
  const child = spawn(process.execPath, ["scripts/start.ts"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
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
      if (!overrides.COVE_DATA_DIR) await rm(dataDir, { recursive: true, force: true });
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

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
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
