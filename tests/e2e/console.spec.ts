import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, type Person, signIn, test } from "./fixtures.ts";

// A first cell starts a sandbox, which takes its time on a busy machine.
test.setTimeout(120_000);
const SLOW = { timeout: 60_000 };

async function openConsole(page: Page, person: Person): Promise<void> {
  await signIn(page, person);
  await page.goto("/console");
  await ready(page);
}

async function ready(page: Page): Promise<void> {
  await expect(page.locator("[data-testid=console][data-ready]")).toBeVisible(SLOW);
}

const cell = (page: Page, number: number) =>
  page.getByRole("listitem", { name: `Cell ${number}`, exact: true });
const code = (page: Page, number: number) =>
  page.getByRole("textbox", { name: `Code of cell ${number}`, exact: true });
const output = (page: Page, number: number) =>
  page.getByRole("region", { name: `Output of cell ${number}`, exact: true });

async function type(page: Page, number: number, text: string): Promise<void> {
  await code(page, number).fill(text);
}

async function saved(page: Page): Promise<void> {
  await expect(page.getByText("Saved", { exact: true })).toBeVisible(SLOW);
}

test("cells of Python and bash run in one sandbox, and are there again after a reload", async ({
  page,
  person,
}) => {
  await openConsole(page, person);
  await type(
    page,
    1,
    "import pandas as pd\nsales = pd.DataFrame({'north': [3, 4]})\nprint('rows:', len(sales))\nsales",
  );
  await code(page, 1).press("Shift+Enter");
  await expect(output(page, 1).getByText("rows: 2")).toBeVisible(SLOW);
  await expect(output(page, 1).getByRole("cell", { name: "4", exact: true })).toBeVisible();

  // It moved on to a new cell, which knows the variables and can become bash.
  await expect(code(page, 2)).toBeFocused();
  await type(page, 2, "sales.north.sum()");
  await code(page, 2).press("Control+Enter");
  await expect(output(page, 2).getByText("7")).toBeVisible(SLOW);
  await page.getByRole("button", { name: "Add Bash cell" }).click();
  await type(page, 3, "echo from $(basename $SHELL bash)bash; ls /nowhere");
  await code(page, 3).press("Control+Enter");
  await expect(output(page, 3).getByText("from bash")).toBeVisible(SLOW);
  await expect(cell(page, 3).getByText("Exit 2")).toBeVisible();

  await saved(page);
  await page.reload();
  await ready(page);
  await expect(output(page, 1).getByText("rows: 2")).toBeVisible(SLOW);
  await expect(output(page, 1).getByRole("cell", { name: "4", exact: true })).toBeVisible();
  await expect(output(page, 3).getByText("from bash")).toBeVisible(SLOW);
  await expect(code(page, 2)).toHaveText("sales.north.sum()");
});
