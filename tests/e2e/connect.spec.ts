import { execFile } from "node:child_process";
import { rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "../support/cove.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { expect, openAs, test } from "./fixtures.ts";

const run = promisify(execFile);
test.setTimeout(120_000);
const SLOW = { timeout: 60_000 };

test("a token is made, filled into every set-up, and tried out", async ({ page, person, cove }) => {
  await openAs(page, person, "/settings/connect");
  await expect(page.getByLabel("Set-up for Claude Code")).toContainText(`${cove.url}/api/mcp`);
  await expect(page.getByLabel("Set-up for Claude Code")).toContainText("YOUR_TOKEN");
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeDisabled();
  const filled = page.getByText("The token is filled in above");
  await expect(async () => {
    if (!(await filled.isVisible())) await page.getByRole("button", { name: "Make a token" }).click();
    await expect(filled).toBeVisible({ timeout: 10_000 });
  }).toPass(SLOW);

  for (const client of ["Claude Code", "Claude Desktop", "Cursor", "VS Code", "MCP SDK", "curl"]) {
    await page.getByRole("tab", { name: client, exact: true }).click();
    await expect(page.getByLabel(`Set-up for ${client}`)).toContainText(/cove_[\w-]{43}/);
  }

  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("Hello from coderunner in /workspace")).toBeVisible(SLOW);
  await expect(page.getByText("last used just now")).toBeVisible(SLOW);
});

test("what is there to copy works as it stands", async ({ page, person }) => {
  await openAs(page, person, "/settings/connect");
  await expect(async () => {
    const button = page.getByRole("button", { name: "Make a token" });
    if (await button.isVisible()) await button.click();
    await expect(page.getByText("The token is filled in above")).toBeVisible({ timeout: 10_000 });
  }).toPass(SLOW);
  const textOf = async (client: string) => {
    await page.getByRole("tab", { name: client, exact: true }).click();
    return (await page.getByLabel(`Set-up for ${client}`).textContent()) ?? "";
  };

  const curl = await run("bash", ["-c", await textOf("curl")]);
  expect(JSON.parse(curl.stdout)).toMatchObject({ status: "completed", stdout: "hello from Cove\n" });

  // In a directory that has our own packages, where the SDK is.
  const project = await temporaryDirectory();
  await symlink(path.join(root, "node_modules"), path.join(project, "node_modules"));
  const program = path.join(project, "connect.mjs");
  await writeFile(program, await textOf("MCP SDK"));
  expect((await run(process.execPath, [program])).stdout).toContain("42");
  await rm(project, { recursive: true });

  await page.reload();
  expect(await page.content()).not.toMatch(/cove_[\w-]{43}/);
});
