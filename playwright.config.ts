import { defineConfig } from "@playwright/test";

// Debian's Chromium as root; the switches keep it from looking for hosts that a closed network doesn't have.
const CHROMIUM_SWITCHES = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./tests/e2e/start-cove.ts",
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 30_000,
  reporter: process.env.COVE_TEST_REPORT
    ? [["list"], ["json", { outputFile: process.env.COVE_TEST_REPORT }]]
    : "list",
  use: {
    browserName: "chromium",
    // Recording every journey to keep the failed ones costs half of the time.
    trace: "off",
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath: "/usr/bin/chromium", args: CHROMIUM_SWITCHES },
  },
});
