import { defineConfig } from "@playwright/test";
import { CHROMIUM } from "./tests/support/chromium.ts";

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./tests/e2e/start-cove.ts",
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Of a whole journey: on a busy machine each of its steps may take seconds.
  timeout: 90_000,
  reporter: process.env.COVE_TEST_REPORT
    ? [["list"], ["json", { outputFile: process.env.COVE_TEST_REPORT }]]
    : "list",
  use: {
    browserName: "chromium",
    // Recording every journey to keep the failed ones costs half of the time.
    trace: "off",
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: CHROMIUM,
  },
});
