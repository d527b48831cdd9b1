import { defineConfig } from "vitest/config";

// One project per thing a test needs, so that a stage of `npm test` starts just that.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "*.test.ts",
            "mcp/**/*.test.ts",
            "sandbox/**/*.test.ts",
            "scripts/**/*.test.ts",
            "app/**/*.test.ts",
            "tests/*.test.ts",
          ],
        },
      },
      {
        test: {
          name: "database",
          include: ["db/**/*.test.ts", "lib/**/*.test.ts"],
          globalSetup: ["tests/support/postgres.ts"],
          testTimeout: 20_000,
        },
      },
      ...["sandbox", "launch", "doors", "attacks", "faults"].map((name) => ({
        test: {
          name,
          include: [`tests/${name}/**/*.test.ts`],
          // Each file has containers of its own; attacks, faults and starts also lean on the whole machine.
          ...(["attacks", "faults"].includes(name) ? { fileParallelism: false } : { maxWorkers: 2 }),
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      })),
    ],
  },
});
