// What the reports of the tools say: how many tests passed, and which did not, with their first words.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

export interface Outcome {
  passed: number;
  /** What to say of each test that did not pass. One that was skipped did not. */
  failed: string[];
}

interface VitestReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
}

/** What `tests/daemon/conftest.py` writes. */
interface PytestReport {
  tests: { file: string; name: string; cause: string | null }[];
}

export async function readVitestReport(file: string): Promise<Outcome> {
  const { testResults }: VitestReport = JSON.parse(await readFile(file, "utf8"));
  const outcome: Outcome = { passed: 0, failed: [] };
  for (const { name, message, assertionResults } of testResults) {
    for (const test of assertionResults) {
      if (test.status === "passed") outcome.passed++;
      else outcome.failed.push(inWords(name, test.fullName, test.failureMessages?.[0] ?? test.status));
    }
    if (message) outcome.failed.push(inWords(name, "the file itself", message));
  }
  return outcome;
}

export async function readPlaywrightReport(file: string): Promise<Outcome> {
  const { suites }: { suites: PlaywrightSuite[] } = JSON.parse(await readFile(file, "utf8"));
  const outcome: Outcome = { passed: 0, failed: [] };
  for (const suite of suites) collect(suite, suite.title, outcome);
  return outcome;
}

export async function readPytestReport(file: string): Promise<Outcome> {
  const { tests }: PytestReport = JSON.parse(await readFile(file, "utf8"));
  const failed = tests.flatMap(({ file, name, cause }) =>
    cause === null ? [] : [inWords(file, name, cause)],
  );
  return { passed: tests.length - failed.length, failed };
}

function collect(suite: PlaywrightSuite, file: string, outcome: Outcome): void {
  for (const { title, tests } of suite.specs) {
    for (const { status, results } of tests) {
      if (status === "expected") outcome.passed++;
      else outcome.failed.push(inWords(file, title, results.at(-1)?.error?.message ?? status));
    }
  }
  for (const inner of suite.suites ?? []) collect(inner, file, outcome);
}

const FIRST_WORDS = 600;

function inWords(file: string, test: string, cause: string): string {
  const lines = stripVTControlCharacters(cause).split("\n");
  const ours = lines.filter((line) => line.trim() && !line.includes("node_modules")).join("\n    ");
  return `${path.relative("", file)}: ${test}\n    ${ours.slice(0, FIRST_WORDS)}`;
}
