import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type ProjectConfig, type TestSpecification } from "vitest/node";

// Use-cases that need no tables are tested once, with the rest; the others on both databases.
const useCases = globSync("lib/**/*.test.ts");
const withDatabase = useCases.filter((file) => readFileSync(file, "utf8").includes("ownDatabase("));

// Files share a process: loading everything anew for each of them took longer than the tests. Links and keys need a secret.
const together = { isolate: false, env: { AUTH_SECRET: "a secret of the tests, long enough" } };

// A file that takes longer than the others begins with them, and not when they are done.
const LONG = /warm-interpreter|fresh-copy|page-isolation|copied-installation/;

// Attacks and faults that look at a clock, at memory, at the kernel or at what a whole machine still does have it for themselves.
const ALONE = [
  ...["egress", "front", "kernel", "network", "output", "processes", "resources", "web", "web-files"].map(
    (name) => `tests/attacks/${name}.test.ts`,
  ),
  "tests/faults/crowd.test.ts",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// One project per thing a test needs, so that a stage of `npm test` starts just that.
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "unit",
          ...together,
          // Some run a real daemon or a fuzzer; on a busy machine that takes longer than it should.
          testTimeout: 60_000,
          include: [
            "*.test.ts",
            ...useCases.filter((file) => !withDatabase.includes(file)),
            "mcp/**/*.test.ts",
            "sandbox/**/*.test.ts",
            "scripts/**/*.test.ts",
            "front/**/*.test.ts",
            "app/**/*.test.ts",
            "tests/*.test.ts",
          ],
        },
      },
      {
        test: {
          name: "database",
          ...together,
          include: ["db/**/*.test.ts", ...withDatabase],
          globalSetup: ["tests/support/postgres.ts"],
          testTimeout: 60_000,
        },
      },
      // Starts and doors wait more than they compute.
      onEngine("launch", { maxWorkers: 3 }),
      onEngine("doors", { maxWorkers: 3 }),
      onEngine("sandbox", { maxWorkers: 2, globalSetup: [] }),
      ...["attacks", "faults"].flatMap((name) => [
        onEngine(name, { exclude: ALONE, maxWorkers: 2 }),
        onEngine(name, {
          name: `${name} alone`,
          include: ALONE.filter((file) => file.startsWith(`tests/${name}/`)),
          // Built for the others already.
          globalSetup: [],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        }),
      ]),
      {
        test: {
          name: "deploy",
          include: ["tests/deploy/**/*.test.ts"],
          globalSetup: ["tests/support/app-images.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

/** A stage with a real engine and, but for what needs no Cove, the application as the tests serve it. */
function onEngine(name: string, settings: ProjectConfig) {
  return {
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      globalSetup: ["tests/support/application.ts"],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...settings,
    },
  };
}
