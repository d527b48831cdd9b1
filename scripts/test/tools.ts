// Running a tool of the tests and reading what it found.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { VARIABLES } from "#env.ts";
import { interruption } from "./interruption.ts";
import { type Outcome, readPlaywrightReport, readPytestReport, readVitestReport } from "./reports.ts";

type Variables = Record<string, string | undefined>;

const GROUP_PATIENCE_MS = 45_000;
const bin = path.resolve(import.meta.dirname, "../../node_modules/.bin");

/** A tool that only says yes or no counts as one test. */
export async function check(name: string, ...args: string[]): Promise<Outcome> {
  const code = await tool([name, ...args]);
  return code === 0
    ? { passed: 1, failed: [] }
    : { passed: 0, failed: [`${[path.basename(name), ...args].join(" ")}: exit ${code}`] };
}

export async function vitest(project: string, env: Variables = {}): Promise<Outcome> {
  return withReport(async (report) => {
    const code = await tool(
      [
        "vitest",
        "run",
        "--project",
        project,
        "--project",
        `${project} alone`,
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
      ],
      env,
    );
    return withExit(code, await readVitestReport(report));
  });
}

export async function playwright(): Promise<Outcome> {
  return withReport(async (report) => {
    const code = await tool(["playwright", "test"], { COVE_TEST_REPORT: report });
    return withExit(code, await readPlaywrightReport(report));
  });
}

export async function pytest(python: string): Promise<Outcome> {
  return withReport(async (report) => {
    const code = await tool([python, "-m", "pytest", "--quiet"], { COVE_TEST_REPORT: report });
    return withExit(code, await readPytestReport(report));
  });
}

/** A tool that failed without a failed test did fail: an error that nobody awaited, a file that doesn't load. */
function withExit(code: number, { passed, failed }: Outcome): Outcome {
  return {
    passed,
    failed: code !== 0 && failed.length === 0 ? [`no test failed, but exit ${code}`] : failed,
  };
}

async function withReport<T>(work: (file: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), "cove-report-"));
  try {
    return await work(path.join(directory, "report.json"));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** One of `node_modules`, or any by its whole path. */
async function tool([name, ...args]: [string, ...string[]], env: Variables = {}): Promise<number> {
  const ours = {
    NEXT_TELEMETRY_DISABLED: "1",
    COVE_BUILD_DIR: ".next-test",
    // What is compiled would lie among the sources of the image.
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const variables: Variables = { ...unsteered(), ...ours, ...env };
  const child = spawn(path.resolve(bin, name), args, {
    // A group of its own, told to stop as one: also what a test has started and nobody else would tell.
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: variables as NodeJS.ProcessEnv,
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
  const group = -(child.pid ?? 0);
  const stop = () => signalGroup(group, "SIGINT");
  interruption.addEventListener("abort", stop, { once: true });
  if (interruption.aborted) stop();
  const code = await ended;
  interruption.removeEventListener("abort", stop);
  if (interruption.aborted) await groupEnded(group);
  return code;
}

/** Somebody's own settings must not change what is tested; which engine there is they may say. */
function unsteered(): Variables {
  const steering = VARIABLES.filter((name) => name !== "DOCKER_HOST");
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !steering.includes(name)));
}

/** Servers that a test started end in order, which takes a moment longer than the test. */
async function groupEnded(group: number): Promise<void> {
  const deadline = Date.now() + GROUP_PATIENCE_MS;
  while (signalGroup(group, 0)) {
    if (Date.now() > deadline) return void signalGroup(group, "SIGKILL");
    await sleep(100);
  }
}

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    // Nobody is left in it.
    return false;
  }
}
