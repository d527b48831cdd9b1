import { readFile } from "node:fs/promises";
import { doorOf } from "../support/door.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { addPerson, addToken } from "../support/people.ts";
import { expect, openAs, signIn, somebody, test } from "./fixtures.ts";

test.slow();

test("runs are found by what they were and how they ended, and tell all about themselves", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  const command = "echo the quick fox; truncate -s 1T huge.bin; curl -sS http://example.com/; exit 3";
  await execute("execute_bash", { command });
  await execute("write_file", { file_path: "notes.txt", content: "remember the milk" });
  await openAs(page, person, "/history");
  await expect(page.getByRole("link", { name: /Shell echo the quick fox/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /Write file/ })).toBeVisible();
  await expect(page.getByText("2 runs in 30 days")).toBeVisible();

  // Filters are in the address, so a reload finds the same list.
  await expect(async () => {
    await page.getByRole("combobox", { name: "Outcome" }).click({ timeout: 2_000 });
    await page.getByRole("option", { name: "Failed" }).click({ timeout: 2_000 });
    await expect(page).toHaveURL(/status=failed/, { timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole("link", { name: /Write file/ })).toBeHidden();
  await page.reload();
  await expect(page.getByRole("link", { name: /quick fox/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /Write file/ })).toBeHidden();
  await page.goto("/history?q=milk");
  await expect(page.getByRole("link", { name: /Write file/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /quick fox/ })).toBeHidden();
  await page.goto("/history?q=nowhere+to+be+found");
  await expect(page.getByText("No run fits")).toBeVisible();
  // What makes no sense is no filter, and no error.
  await page.goto("/history?door=constructor&status=__proto__&time=2026-99-99&before=x&conversation=y");

  await page.getByRole("link", { name: /quick fox/ }).click();
  await expect(page.getByRole("heading", { name: "Shell" })).toBeVisible();
  await expect(page.getByRole("article").getByText("Exit 3", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Output" })).toContainText("the quick fox");
  await expect(page.getByText("Refused by the network policy")).toBeVisible();
  await expect(page.getByText("example.com:80", { exact: true })).toBeVisible();
  await expect(page.getByText("huge.bin (larger than 100 MB)")).toBeVisible();
  await expect(page.locator("dl").getByText(/ms|s$/).first()).toBeVisible();
  await expect(page.getByRole("term").filter({ hasText: "Peak memory" })).toBeVisible();
  await expect(page.locator("dl").getByText(/\d+(\.\d)? MB/)).toBeVisible();
});

test("what runs is on top, and moves down when it is stopped", async ({ page, cove, person }) => {
  const execute = await doorOf(cove, person);
  await openAs(page, person, "/history");
  await expect(page.getByText("Nothing has run yet")).toBeVisible();
  await execute("execute_bash", { command: "echo started; sleep 3600", background: true });
  // Without a reload.
  const live = page.getByRole("region", { name: "Running now" });
  await expect(live.getByText("echo started; sleep 3600")).toBeVisible({ timeout: 20_000 });

  await live.getByRole("link").click();
  await expect(page.getByRole("region", { name: "Output" })).toContainText("started", { timeout: 20_000 });
  await page.goBack();
  await expect(async () => {
    await live.getByRole("button", { name: "Stop" }).click({ timeout: 5_000 });
    await expect(live).toBeHidden({ timeout: 15_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByRole("listitem").filter({ hasText: "sleep 3600" }).getByText("Stopped")).toBeVisible(
    {
      timeout: 20_000,
    },
  );
});

test("a selection is exported, and deleted once that was confirmed", async ({ page, cove, person }) => {
  const execute = await doorOf(cove, person);
  await execute("execute_bash", { command: "echo 'first one'" });
  await execute("execute_bash", { command: "echo second" });
  await execute("execute_bash", { command: "echo third" });
  await openAs(page, person, "/history");
  const choose = (name: string) => page.getByRole("checkbox", { name });
  await expect(async () => {
    await choose("Select echo 'first one'").check({ timeout: 2_000 });
    await choose("Select echo second").check({ timeout: 2_000 });
    await expect(page.getByText("2 selected")).toBeVisible({ timeout: 2_000 });
  }).toPass();

  const save = async (format: string) => {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: `Export as ${format}`, exact: true }).click();
    return readFile(await (await download).path(), "utf8");
  };
  expect(await save(".sh")).toMatch(/echo 'first one'.*echo second/s);
  expect(await save(".py")).toMatch(/subprocess\.run\(.*echo 'first one'.*subprocess\.run\(.*echo second/s);
  const { cells } = JSON.parse(await save(".ipynb"));
  expect(cells.map(({ outputs }: { outputs: { text: string[] }[] }) => outputs[0]?.text)).toEqual([
    ["first one\n"],
    ["second\n"],
  ]);

  await page.getByRole("button", { name: "Delete selected runs" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("1 run in 30 days")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("link", { name: /echo third/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /first one/ })).toBeHidden();
});

test("a run is run again, and deleted", async ({ page, cove, person }) => {
  const execute = await doorOf(cove, person);
  const code = "print('count me in')\nopen('outputs/same.txt', 'w').write('same')";
  const { execution_id } = await execute("execute_python", { code });
  await openAs(page, person, `/history/${execution_id}`);
  await expect(page.getByRole("definition").filter({ hasText: "default" })).toBeVisible();
  // Once: a form works before the page's scripts do.
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(execution_id), { timeout: 60_000 });
  await expect(page.getByRole("region", { name: "Output" })).toContainText("count me in", {
    timeout: 20_000,
  });
  await expect(page.getByRole("definition").filter({ hasText: "Web" })).toBeVisible();
  // What it made was there already, and is its own all the same.
  await page.getByRole("link", { name: /outputs\/same\.txt/ }).click();
  await expect(page.getByRole("heading", { name: "same.txt" })).toBeVisible({ timeout: 20_000 });
  await page.goBack();

  const deleteIt = page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true });
  await expect(async () => {
    await page.getByRole("button", { name: "Delete", exact: true }).click({ timeout: 2_000 });
    await expect(deleteIt).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await deleteIt.click();
  await page.waitForURL("**/history");
  await expect(page.getByRole("link", { name: /count me in/ })).toHaveCount(1);
});

test("a program of the older tools is code, and runs again; a change made by hand does not", async ({
  page,
  cove,
  person,
}) => {
  const token = await addToken(cove.dataDir, person.id);
  const client = await mcpClient(cove.url, token, { toolset: "code-executor" });
  await client.callTool({ name: "execute_code", arguments: { code: "print('from a program')" } });
  await client.close();
  await openAs(page, person);
  await page.request.post("/api/files/folder", { data: { path: "Quarterly" } });

  await page.goto("/history");
  await page.getByRole("link", { name: /Python program print/ }).click();
  await expect(page.getByRole("article").getByText("Arguments")).toBeHidden();
  const first = page.url();
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForURL((at) => at.href !== first, { timeout: 60_000 });
  await expect(page.getByRole("region", { name: "Output" })).toContainText("from a program", {
    timeout: 20_000,
  });

  await page.goto("/history?q=quarterly");
  await page.getByRole("link", { name: /New folder.*Quarterly/ }).click();
  await expect(page.getByRole("heading", { name: "New folder" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Run again" })).toBeHidden();
});

test("runs are filtered by door, tool, conversation and time, and the chart leads to a day", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  await execute("write_file", { file_path: "notes.txt", content: "milk" });
  await execute("execute_bash", { command: "exit 1" });
  await openAs(page, person);
  const { id } = await (await page.request.post("/api/conversations", { data: {} })).json();
  await page.request.post(`/api/conversations/${id}/turns`, { data: { text: "!echo in a chat" } });
  await page.goto("/history");
  const chat = page.getByRole("link", { name: /Shell echo in a chat/ });
  const file = page.getByRole("link", { name: /Write file/ });
  await expect(chat).toBeVisible({ timeout: 20_000 });

  const choose = (filter: string, option: string | RegExp, address: RegExp) =>
    expect(async () => {
      await page.getByRole("combobox", { name: filter }).click({ timeout: 2_000 });
      await page.getByRole("option", { name: option }).first().click({ timeout: 2_000 });
      await expect(page).toHaveURL(address, { timeout: 2_000 });
    }).toPass();
  for (const [filter, option, address, any] of [
    ["Door", "Chat", /door=chat/, "Any door"],
    ["Conversation", /echo in a chat|Untitled/, /conversation=/, "Any conversation"],
  ] as const) {
    await choose(filter, option, address);
    await expect(file).toBeHidden();
    await expect(chat).toBeVisible();
    await choose(filter, any, /history$|\?(?!.*(door|conversation)=)/);
    await expect(file).toBeVisible();
  }
  await choose("Tool", "Write file", /tool=write_file/);
  await expect(chat).toBeHidden();
  await expect(file).toBeVisible();
  await page.goto("/history");
  await choose("Time", "Last hour", /time=1h/);
  await expect(file).toBeVisible();

  // A bar has a part for each outcome, and the day is a filter.
  await page.goto("/history");
  const today = page.getByRole("group", { name: "Runs per day" }).getByRole("link");
  await expect(today).toHaveAttribute("aria-label", /2 done, 1 failed/, { timeout: 20_000 });
  const heights = await today
    .locator("rect")
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
  expect(heights).toHaveLength(3);
  expect(heights[1]).toBeGreaterThan((heights[2] ?? 0) * 1.5);
  await today.click();
  await expect(page).toHaveURL(/time=\d{4}-\d\d-\d\d/);
  await expect(file).toBeVisible();
});

test("a figure is shown with its run, and is in the notebook that is exported", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  const code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()";
  const { execution_id } = await execute("execute_python", { code, timeout: 60 });
  await openAs(page, person, `/history/${execution_id}`);
  const figure = page.getByRole("img", { name: "Result of the code" });
  await expect(figure).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as .ipynb" }).click(),
  ]);
  const { cells } = JSON.parse(await readFile(await download.path(), "utf8"));
  const picture = Buffer.from(cells[0].outputs[0].data["image/png"], "base64");
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
});

test("terminal escapes and endless output are inert, and nobody sees another's run", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  const escapes = String.raw`printf '\033]0;pwned\007\033[2J\033[31mred\033[0m \000 end\n<b>not bold</b>\n'; yes 0123456789 | head -c 3000000`;
  const { execution_id } = await execute("execute_bash", { command: escapes });
  await openAs(page, person, "/history");
  await page.getByRole("link", { name: /printf/ }).click();
  const output = page.getByRole("region", { name: "Output" });
  await expect(output).toContainText("red \ufffd end");
  await expect(output).toContainText("<b>not bold</b>");
  await expect(output).toContainText("has been cut in the middle");
  expect(await output.textContent()).not.toContain("\u001b");

  const other = somebody();
  await addPerson(cove.dataDir, other);
  await page.context().clearCookies();
  await signIn(page, other);
  for (const place of [`/history/${execution_id}`, "/history/not-an-id"]) {
    const answer = await page.goto(place);
    expect(answer?.status()).toBe(404);
  }
  const foreign = await page.request.get(`/api/history/${execution_id}`);
  expect(foreign.status()).toBe(404);
  expect((await page.request.get(`/api/history/export?format=py&ids=${execution_id}`)).status()).toBe(404);
});
