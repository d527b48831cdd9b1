// A Cove that is open to others and that nobody has an account on yet.
import { type Cove, startCove } from "../support/cove.ts";
import { expect, somebody, test } from "./fixtures.ts";

let cove: Cove;

test.beforeAll(async () => {
  // A start takes longer than a step of a journey.
  test.setTimeout(120_000);
  cove = await startCove({ COVE_LISTEN: "0.0.0.0" });
});

test.afterAll(() => cove.stop());

test("the first to sign up types the code that the start printed, and the second isn't asked", async ({
  page,
  browser,
}) => {
  const [, code = ""] = /Code +(\S+)/.exec(cove.output()) ?? [];
  const person = somebody();
  await page.goto(`${cove.url}/sign-up`);
  await expect(page.getByText("The start printed the code")).toBeVisible();
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByLabel("Code of this installation").fill("AAAA-BBBB-CCCC");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("The first account needs the code")).toBeVisible();
  await expect(page.getByLabel("Code of this installation")).toHaveAttribute("aria-invalid", "true");

  await page.getByLabel("Password").fill(person.password);
  await page.getByLabel("Code of this installation").fill(code.toLowerCase());
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/chat");
  await page.goto(`${cove.url}/admin`);
  await expect(page.getByRole("heading").first()).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${cove.url}/sign-up`);
  await expect(other.getByLabel("Password")).toBeVisible();
  await expect(other.getByLabel("Code of this installation")).toHaveCount(0);
});
