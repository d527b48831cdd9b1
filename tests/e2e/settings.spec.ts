import { expect, signIn, test } from "./fixtures.ts";

test("a new name shows everywhere at once", async ({ page, person }) => {
  await signIn(page, person);
  await page.goto("/settings");
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("button", { name: /Grace Hopper/ })).toBeVisible();
});

test("changing the password signs out everywhere else, and the new one works", async ({
  page,
  person,
  browser,
  baseURL,
}) => {
  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await signIn(page, person);
  await signIn(elsewhere, person);
  await page.goto("/settings/security");
  await expect(page.getByRole("listitem").filter({ hasText: "Chrome on Linux" })).toHaveCount(2);

  await page.getByLabel("Current password").fill("not it");
  await page.getByLabel("New password").fill("a brand new password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("That is not your password.")).toBeVisible();

  await page.getByLabel("Current password").fill(person.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password is changed")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Chrome on Linux" })).toHaveCount(1);

  await elsewhere.goto("/chat");
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await signIn(elsewhere, { ...person, password: "a brand new password" });
});

test("one session can be ended from another, at once", async ({ page, person, browser, baseURL }) => {
  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await signIn(elsewhere, person);
  await signIn(page, person);
  await page.goto("/settings/security");
  const others = page
    .getByRole("listitem")
    .filter({ hasNotText: "this one" })
    .filter({ hasText: "last seen" });
  await others.getByRole("button", { name: /Sign out/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  // Not "none of the others": while the question is open, nothing of the page is there for roles.
  await expect(page.getByRole("listitem").filter({ hasText: "last seen" })).toHaveCount(1);
  await elsewhere.goto("/settings");
  await expect(elsewhere).toHaveURL(/\/sign-in/);
});

test("signing out everywhere else leaves only this session", async ({ page, person, browser, baseURL }) => {
  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await signIn(elsewhere, person);
  await signIn(page, person);
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "last seen" })).toHaveCount(1);
  await elsewhere.goto("/chat");
  await expect(elsewhere).toHaveURL(/\/sign-in/);
});

test("deleting the account needs the address and the password, and takes tokens with it", async ({
  page,
  person,
  cove,
  request,
}) => {
  const token = await cove.cli("token", "create", person.email, "--name", "soon gone");
  await signIn(page, person);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Delete account…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel(/to confirm/).fill("somebody@else.example");
  await dialog.getByLabel("Password").fill(person.password);
  await dialog.getByRole("button", { name: "Delete everything" }).click();
  await expect(dialog.getByText("Type your e-mail address exactly, to confirm.")).toBeVisible();
  await dialog.getByLabel(/to confirm/).fill(person.email);
  await dialog.getByRole("button", { name: "Delete everything" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  expect((await request.get("/tools", { headers: { authorization: `Bearer ${token}` } })).status()).toBe(401);
  expect(await cove.cli("user", "list")).not.toContain(person.email);
});
