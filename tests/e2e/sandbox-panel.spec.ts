import type { Page } from "@playwright/test";
import { doorOf } from "../support/door.ts";
import { expect, openAs, signIn, test } from "./fixtures.ts";

test.slow();

async function openPanel(page: Page) {
  const panel = page.getByRole("dialog", { name: "Sandbox" });
  await expect(async () => {
    await page.getByRole("button", { name: /^Sandbox:/ }).click({ timeout: 2_000 });
    await expect(panel).toBeVisible({ timeout: 2_000 });
  }).toPass();
  return panel;
}

test("the sandbox is seen on every page without being made, and what runs in it is stopped there", async ({
  page,
  cove,
  person,
}) => {
  const mine = async () =>
    JSON.parse(await cove.cli("sandbox", "list")).find(({ user }: { user: string }) => user === person.email);
  await openAs(page, person);
  await expect(page.getByRole("button", { name: "Sandbox: Not made yet" })).toBeVisible({ timeout: 20_000 });
  expect(await mine()).toBeUndefined();

  const execute = await doorOf(cove, person);
  await execute("execute_python", { code: "x = 1", session: "work" });
  await execute("execute_bash", { command: "sleep 3599 & curl -sS http://example.com/; disown" });
  expect(await mine()).toMatchObject({ state: "running" });
  const panel = await openPanel(page);
  await expect(panel.getByRole("status").getByText("Running")).toBeVisible({ timeout: 20_000 });
  await expect(panel.getByText("sleep 3599")).toBeVisible({ timeout: 20_000 });
  await expect(panel.getByText("example.com:80", { exact: true })).toBeVisible();
  await panel.getByRole("button", { name: /^Stop sleep/ }).click();
  await expect(panel.getByText("sleep 3599")).toBeHidden({ timeout: 20_000 });
  await panel.getByRole("button", { name: "Reset session work" }).click();
  await expect(panel.getByText("None is open.")).toBeVisible({ timeout: 20_000 });
});

for (const [screen, width] of [
  ["a wide screen", 1280],
  ["a phone", 390],
] as const) {
  test(`state, CPU, memory and disk are in the header of every page on ${screen}`, async ({
    page,
    cove,
    person,
  }) => {
    const execute = await doorOf(cove, person);
    await execute("execute_bash", { command: "head -c 3000000 /dev/urandom > some.bin" });
    await page.setViewportSize({ width, height: 844 });
    await signIn(page, person);
    for (const place of ["/chat", "/console", "/files", "/history", "/settings"]) {
      await page.goto(place);
      const glance = page.getByRole("button", { name: /^Sandbox:/ });
      for (const figure of ["Running", /CPU\s*\d+ %/, /Memory\s*\d[\d.]* MB/, /Disk\s*\d[\d.]* MB/]) {
        await expect(glance).toContainText(figure, { timeout: 20_000 });
      }
      await expect(glance).toBeInViewport({ ratio: 1 });
      for (const part of await glance.locator("span:not(:has(*)):not(:empty)").all()) {
        // Nothing is cut off.
        expect(
          await part.evaluate((one) => one.scrollWidth <= one.clientWidth || one.clientWidth === 0),
        ).toBe(true);
      }
    }
  });
}

test("restarting and resetting keep the files, deleting everything has to be typed", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  await execute("execute_bash", { command: "echo kept > kept.txt; echo gone > /tmp/gone.txt" });
  await openAs(page, person);
  const panel = await openPanel(page);
  for (const what of ["Restart", "Reset"]) {
    await panel.getByRole("button", { name: `${what}…` }).click();
    const question = page.getByRole("dialog", { name: `${what} the sandbox?` });
    await question.getByRole("button", { name: what, exact: true }).click();
    await expect(question).toBeHidden({ timeout: 60_000 });
    const { stdout } = await execute("execute_bash", { command: "cat kept.txt /tmp/gone.txt 2>/dev/null" });
    expect(stdout).toBe("kept\n");
  }

  await panel.getByRole("button", { name: "Delete everything…" }).click();
  const question = page.getByRole("dialog", { name: "Delete everything?" });
  const confirm = question.getByRole("button", { name: "Delete everything", exact: true });
  await expect(confirm).toBeDisabled();
  await question.getByRole("textbox").fill("delete something");
  await expect(confirm).toBeDisabled();
  expect((await page.request.post("/api/sandbox/delete", { data: { confirmation: "yes" } })).status()).toBe(
    400,
  );
  await question.getByRole("textbox").fill("delete everything");
  await confirm.click();
  await expect(panel.getByText("Not made yet")).toBeVisible({ timeout: 60_000 });
  expect((await execute("execute_bash", { command: "ls" })).stdout).toBe("outputs\n");
});

test("a sandbox stopped under an open page is seen to be, and comes back with the next run", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  await execute("execute_bash", { command: "echo one > one.txt" });
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, person);
  const panel = await openPanel(page);
  await expect(panel.getByRole("status").getByText("Running")).toBeVisible({ timeout: 20_000 });
  expect(JSON.parse(await cove.cli("sandbox", "stop", person.email))).toEqual({ stopped: person.email });
  await expect(panel.getByRole("status").getByText("Stopped")).toBeVisible({ timeout: 20_000 });
  // Looking has not started it.
  await expect(panel.getByText("Nothing is running.")).toBeVisible();
  expect((await execute("execute_bash", { command: "cat one.txt" })).stdout).toBe("one\n");
  await expect(panel.getByRole("status").getByText("Running")).toBeVisible({ timeout: 20_000 });
  await cove.cli("sandbox", "destroy", person.email);
  await expect(panel.getByRole("status").getByText("Not made yet")).toBeVisible({ timeout: 20_000 });
});
