import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { containerName } from "#sandbox/docker/container-spec.ts";
import { addPerson, databaseOf } from "../support/people.ts";
import { expect, openAs, type Person, somebody, test } from "./fixtures.ts";

// A first cell starts a sandbox, which takes its time on a busy machine.
test.setTimeout(120_000);
const SLOW = { timeout: 60_000 };

async function openConsole(page: Page, person: Person): Promise<void> {
  await openAs(page, person, "/console");
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
  await type(page, 3, "echo from $(basename $SHELL bash)bash; truncate -s 1T huge.bin; ls /nowhere");
  await code(page, 3).press("Control+Enter");
  await expect(output(page, 3).getByText("from bash")).toBeVisible(SLOW);
  await expect(cell(page, 3).getByText("Exit 2")).toBeVisible();

  await saved(page);
  await page.reload();
  await ready(page);
  await expect(output(page, 1).getByText("rows: 2")).toBeVisible(SLOW);
  await expect(output(page, 1).getByRole("cell", { name: "4", exact: true })).toBeVisible();
  await expect(output(page, 3).getByText("from bash")).toBeVisible(SLOW);
  await expect(output(page, 3).getByText("huge.bin (larger than 100 MB)")).toBeVisible();
  await expect(code(page, 2)).toHaveText("sales.north.sum()");
});

test("Tab completes from the live session, and Escape, then Tab, leaves the editor", async ({
  page,
  person,
}) => {
  await openConsole(page, person);
  await type(page, 1, "revenue_by_month = {'north': 1}\n'made'");
  await code(page, 1).press("Shift+Enter");
  await expect(output(page, 1).getByText("'made'")).toBeVisible(SLOW);
  await expect(async () => {
    await type(page, 2, "revenue_by_m");
    await code(page, 2).press("Control+End");
    await code(page, 2).press("Tab");
    await expect(page.getByRole("option", { name: /revenue_by_month/ })).toBeVisible({ timeout: 5_000 });
  }).toPass(SLOW);
  await code(page, 2).press("Tab");
  await expect(code(page, 2)).toHaveText("revenue_by_month");
  await code(page, 2).press("Escape");
  await code(page, 2).press("Tab");
  await expect(code(page, 2)).not.toBeFocused();
});

test("a cell that never ends and prints for ever is stopped, and its session lives on", async ({
  page,
  person,
}) => {
  await openConsole(page, person);
  await type(page, 1, "kept = 'still here'\nn = 0\nwhile True:\n    n += 1\n    print('line', n, 'x' * 200)");
  await code(page, 1).press("Shift+Enter");
  await expect(output(page, 1)).toContainText("line", SLOW);

  // Closing the page doesn't stop it: it is found again, and stopped from there.
  await saved(page);
  await page.reload();
  await ready(page);
  await expect(output(page, 1)).toContainText("line", SLOW);
  await page.getByRole("button", { name: "Stop cell 1" }).click();
  await expect(cell(page, 1).getByText("Stopped")).toBeVisible(SLOW);
  await expect(output(page, 1).getByText("cut in the middle")).toBeVisible();
  const shown = (await output(page, 1).textContent()) ?? "";
  expect(shown.length).toBeLessThan(1_000_000);

  await type(page, 2, "kept + '!'");
  await code(page, 2).press("Control+Enter");
  await expect(output(page, 2).getByText("still here!")).toBeVisible(SLOW);
  await type(page, 2, "'y' * 100_000_000");
  await code(page, 2).press("Control+Enter");
  await expect(
    output(page, 2)
      .getByText(/left out|characters/)
      .first(),
  ).toBeVisible(SLOW);
});

test("cells are added, moved, deleted and brought back; run all stops at the first failure", async ({
  page,
  person,
}) => {
  await openConsole(page, person);
  await type(page, 1, "a = 1");
  await page.getByRole("button", { name: "Add Python cell" }).click();
  await type(page, 2, "b = a + missing");
  await page.getByRole("button", { name: "Add Python cell" }).click();
  await type(page, 3, "'never reached'");

  await page.getByRole("button", { name: "Run all" }).click();
  await expect(output(page, 2).getByText(/NameError.*missing/)).toBeVisible(SLOW);
  await expect(cell(page, 1).getByText("Done")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run all" })).toBeVisible();
  await expect(output(page, 3)).toHaveCount(0);

  await cell(page, 2).hover();
  await page.getByRole("button", { name: "Delete cell 2" }).click();
  await expect(code(page, 2)).toHaveText("'never reached'");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(code(page, 2)).toHaveText("b = a + missing");
  await cell(page, 3).hover();
  await page.getByRole("button", { name: "Move cell 3 up" }).click();
  await expect(code(page, 2)).toHaveText("'never reached'");

  // Between cells with the keyboard alone.
  await code(page, 2).click();
  await code(page, 2).press("Alt+ArrowUp");
  await expect(code(page, 1)).toBeFocused();
  await code(page, 1).press("Alt+ArrowDown");
  await expect(code(page, 2)).toBeFocused();
  await code(page, 2).press("Control+Enter");
  await expect(output(page, 2).getByText("'never reached'")).toBeVisible(SLOW);

  await page.getByRole("button", { name: "Restart session" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restart" }).click();
  await type(page, 1, "'a' in globals()");
  await expect(async () => {
    await code(page, 1).press("Control+Enter");
    await expect(output(page, 1).getByText("False")).toBeVisible({ timeout: 5_000 });
  }).toPass(SLOW);
});

test("two tabs on one console notice each other, and nothing is lost", async ({ page, person, context }) => {
  await openConsole(page, person);
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  await type(page, 1, "'from the first tab'");
  await saved(page);
  await expect.poll(async () => (await page.request.get(apiOf(page))).text(), SLOW).toContain("first tab");
  await type(other, 1, "'from the second tab'");
  await expect(other.getByText("changed in another tab")).toBeVisible(SLOW);
  await expect(other.getByText("Not saved", { exact: true })).toBeVisible();

  const original = other.url();
  await other.getByRole("button", { name: "Keep mine as a copy" }).click();
  await other.waitForURL((url) => url.href !== original, SLOW);
  await ready(other);
  await expect(code(other, 1)).toHaveText("'from the second tab'");
  await page.reload();
  await ready(page);
  await expect(code(page, 1)).toHaveText("'from the first tab'");

  await other.goto(original);
  await ready(other);
  await type(page, 1, "'newer'");
  await expect.poll(async () => (await page.request.get(apiOf(page))).text(), SLOW).toContain("newer");
  await type(other, 1, "'older'");
  await other.getByRole("button", { name: "Load that version" }).click(SLOW);
  await expect(code(other, 1)).toHaveText("'newer'");
});

test("a notebook comes in and goes out; one that is broken or enormous gets a sentence", async ({
  page,
  person,
}) => {
  await openConsole(page, person);
  const first = page.url();
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel("Notebook to import").setInputFiles({ name, mimeType: "application/json", buffer });
  await choose("broken.ipynb", Buffer.from('{"cells": ['));
  await expect(page.getByText("isn't even JSON")).toBeVisible();
  await choose("other.ipynb", Buffer.from('{"some": "thing"}'));
  await expect(page.getByText("not a Jupyter notebook")).toBeVisible();
  await choose("huge.ipynb", Buffer.alloc(21 * 2 ** 20, " "));
  await expect(page.getByText("up to 20 MB can be imported")).toBeVisible();

  const notebook = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: "python3", language: "python" } },
    cells: [
      { cell_type: "markdown", metadata: {}, source: ["# Hello"] },
      { cell_type: "code", metadata: {}, outputs: [], source: ["print(", "6 * 7)"] },
      { cell_type: "code", metadata: {}, outputs: [], source: "%%bash\necho shell" },
    ],
  };
  await choose("Sums.ipynb", Buffer.from(JSON.stringify(notebook)));
  await page.waitForURL((url) => url.href !== first, SLOW);
  await ready(page);
  await expect(page.getByLabel("Name of this console")).toHaveValue("Sums");
  await expect(code(page, 1)).toHaveText("# Hello");
  await page.getByRole("button", { name: "Run all" }).click();
  await expect(output(page, 2).getByText("42")).toBeVisible(SLOW);
  await expect(output(page, 3).getByText("shell")).toBeVisible(SLOW);

  await page.getByRole("button", { name: "Consoles" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export as .ipynb" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Sums.ipynb");
  const written = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(written.cells.map((one: { source: string[] }) => one.source.join(""))).toEqual([
    "# Hello",
    "print(6 * 7)",
    "%%bash\necho shell",
  ]);
  expect(JSON.stringify(written.cells[1].outputs)).toContain("42");
});

test("a figure is on the screen, there again after a reload, and in the notebook that is exported", async ({
  page,
  person,
}) => {
  await openConsole(page, person);
  await type(page, 1, "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4])\nplt.show()");
  await code(page, 1).press("Control+Enter");
  const figure = output(page, 1).getByRole("img", { name: "Result of the code" });
  await expect(figure).toBeVisible(SLOW);
  await saved(page);
  await page.reload();
  await ready(page);
  await expect(figure).toBeVisible(SLOW);
  await page.getByRole("button", { name: "Consoles" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export as .ipynb" }).click(),
  ]);
  const { cells } = JSON.parse(await readFile(await download.path(), "utf8"));
  const picture = Buffer.from(cells[0].outputs[0].data["image/png"], "base64");
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
});

test("a cell that is stopped before the server has answered ends all the same", async ({ page, person }) => {
  await openConsole(page, person);
  await type(page, 1, "import time\ntime.sleep(3600)");
  let letGo = () => {};
  const stopped = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/api/console/*/run", async (route) => {
    await stopped;
    await route.continue();
  });
  await code(page, 1).press("Control+Enter");
  await page.getByRole("button", { name: "Stop cell 1" }).click();
  await expect(cell(page, 1).getByText("Stopping…")).toBeVisible();
  letGo();
  await expect(cell(page, 1).getByText("Stopped")).toBeVisible(SLOW);
});

test("whoever leaves keeps the last words; where they are too many for that, the browser asks", async ({
  page,
  person,
  context,
}) => {
  await openConsole(page, person);
  await saved(page);
  await type(page, 1, "'a last word'");
  const address = page.url();
  await page.close({ runBeforeUnload: true });
  const next = await context.newPage();
  await next.goto(address);
  await ready(next);
  await expect(code(next, 1)).toHaveText("'a last word'", SLOW);

  await type(next, 1, `long = '${"x".repeat(100_000)}'`);
  const asked = next.waitForEvent("dialog");
  await next.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await expect.poll(async () => (await next.request.get(apiOf(next))).text(), SLOW).toContain("xxxx");
});

test("a sandbox that is stopped under an open page is back with the next run, which says so", async ({
  page,
  person,
  cove,
}) => {
  await openConsole(page, person);
  await type(page, 1, "kept = 1\n'ran'");
  await code(page, 1).press("Control+Enter");
  await expect(output(page, 1).getByText("'ran'")).toBeVisible(SLOW);

  const { db } = await databaseOf(cove.dataDir);
  const { rows } = await db.execute<{ id: string }>(
    `select id from sandboxes where user_id = '${person.id}'`,
  );
  await connectEngine()
    .getContainer(containerName(rows[0]?.id ?? ""))
    .stop({ t: 0 });

  await type(page, 1, "'kept' in globals()");
  await expect(async () => {
    await code(page, 1).press("Control+Enter");
    await expect(output(page, 1).getByText("False")).toBeVisible({ timeout: 20_000 });
  }).toPass(SLOW);
  await expect(output(page, 1).getByText("The session was restarted")).toBeVisible();
});

test("somebody else's console and runs are not there", async ({ page, person, browser, cove }) => {
  await openConsole(page, person);
  await type(page, 1, "echo secret");
  await page.getByLabel("Language of cell 1").selectOption("Bash");
  await code(page, 1).press("Control+Enter");
  await expect(output(page, 1).getByText("secret")).toBeVisible(SLOW);
  const { runs } = await (await page.request.get(apiOf(page))).json();
  const [run] = Object.values(runs);

  const stranger = await (await browser.newContext({ baseURL: cove.url })).newPage();
  const them = somebody();
  await addPerson(cove.dataDir, them);
  await openAs(stranger, them);
  expect((await stranger.request.get(apiOf(page))).status()).toBe(404);
  expect((await stranger.request.delete(apiOf(page))).status()).toBe(404);
  expect((await stranger.request.delete(`/api/console/runs/${run}`)).status()).toBe(404);
  const told = await (await stranger.request.get(`/api/console/runs/${run}`)).text();
  expect(told).toContain("no longer on record");
  expect(told).not.toContain("secret");
  await stranger.goto(page.url());
  await expect(stranger.getByText("secret")).toHaveCount(0);
  await stranger.context().close();
});

const apiOf = (page: Page) => `/api/console/${new URL(page.url()).pathname.split("/").at(-1)}`;
