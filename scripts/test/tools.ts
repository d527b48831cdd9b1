// Running a tool of the tests and counting what it found.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Counts {
  passed: number;
  failed: number;
}

type Variables = Record<string, string | undefined>;

const bin = path.resolve(import.meta.dirname, "../../node_modules/.bin");

/** A tool that only says yes or no counts as one test. */
export async function check(...command: [string, ...string[]]): Promise<Counts> {
  return (await tool(command)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

export async function vitest(project: string, env: Variables = {}): Promise<Counts> {
  return withReport(async (report) => {
    const code = await tool(
      [
        "vitest",
        "run",
        "--project",
        project,
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
      ],
      env,
    );
    const { numPassedTests, numTotalTests } = JSON.parse(await readFile(report, "utf8"));
    return counts(numPassedTests, numTotalTests - numPassedTests, code);
  });
}

export async function playwright(): Promise<Counts> {
  return withReport(async (report) => {
    const code = await tool(["playwright", "test"], { COVE_TEST_REPORT: report });
    const { stats } = JSON.parse(await readFile(report, "utf8"));
    return counts(stats.expected, stats.unexpected + stats.flaky + stats.skipped, code);
  });
}

/** A test that was skipped did not pass; a tool that failed without a failed test (a file that doesn't load) did fail. */
function counts(passed: number, failed: number, code: number): Counts {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

async function withReport<T>(work: (file: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), "cove-report-"));
  try {
    return await work(path.join(directory, "report.json"));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function tool([name, ...args]: [string, ...string[]], env: Variables = {}): Promise<number> {
  const variables: Variables = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env };
  const child = spawn(path.join(bin, name), args, { stdio: "inherit", env: variables as NodeJS.ProcessEnv });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
