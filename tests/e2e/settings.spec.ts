import { createHash } from "node:crypto";
import { findSandbox } from "#db/queries/sandboxes.ts";
import { doorOf } from "../support/door.ts";
import { addToken, databaseOf } from "../support/people.ts";
import { engineKeeps, filesNaming, tablesWith } from "../support/traces-of.ts";
import { expect, openAs, signIn, test } from "./fixtures.ts";

test("a new name shows everywhere at once", async ({ page, person }) => {
  await openAs(page, person, "/settings");
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
  await openAs(page, person);
  await openAs(elsewhere, person);
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
  await openAs(elsewhere, { ...person, password: "a brand new password" });
});

test("changing the password offers to revoke API tokens, says how many there are, and does", async ({
  page,
  person,
  cove,
  request,
}) => {
  const tokens = [await addToken(cove.dataDir, person.id), await addToken(cove.dataDir, person.id)];
  const statuses = () =>
    Promise.all(
      tokens.map(async (token) => {
        const answer = await request.get("/tools", { headers: { authorization: `Bearer ${token}` } });
        return answer.status();
      }),
    );
  await openAs(page, person, "/settings/security");
  const box = page.getByLabel("Revoke my 2 API tokens, too");
  await expect(box).not.toBeChecked();
  await page.getByLabel("Current password").fill(person.password);
  await page.getByLabel("New password").fill("a brand new password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(
    page.getByText("Your password is changed, and all other sessions are signed out."),
  ).toBeVisible();
  expect(await statuses()).toEqual([200, 200]);

  await box.check();
  await page.getByLabel("Current password").fill("a brand new password");
  await page.getByLabel("New password").fill("yet another password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("2 API tokens are revoked.")).toBeVisible();
  expect(await statuses()).toEqual([401, 401]);
  // With none left there is nothing to offer.
  await expect(box).toHaveCount(0);
});

test("one session can be ended from another, at once", async ({ page, person, browser, baseURL }) => {
  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await openAs(elsewhere, person);
  await openAs(page, person, "/settings/security");
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
  await openAs(elsewhere, person);
  await openAs(page, person, "/settings/security");
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "last seen" })).toHaveCount(1);
  await elsewhere.goto("/chat");
  await expect(elsewhere).toHaveURL(/\/sign-in/);
});

test("a deleted account takes everything with it: container, files, contents, every row", async ({
  page,
  person,
  cove,
}) => {
  test.setTimeout(120_000);
  const { db } = await databaseOf(cove.dataDir);
  const execute = await doorOf(cove, person);
  const { artifacts } = await execute("execute_bash", { command: `echo ${person.id} > outputs/kept.txt` });
  expect(artifacts).toHaveLength(1);
  await signIn(page, person);
  const chat = await page.request.post("/api/conversations", { data: {}, headers: { origin: cove.url } });
  expect(chat.ok()).toBe(true);
  const sandbox = await findSandbox(db, person.id);
  expect(await engineKeeps(sandbox?.id)).toBe(true);
  expect(await filesNaming(cove.dataDir, sandbox?.id)).not.toEqual([]);
  const blob = createHash("sha256").update(`${person.id}\n`).digest("hex");
  expect(await filesNaming(cove.dataDir, blob)).toHaveLength(1);
  expect(await tablesWith(db, person.id)).toEqual(
    expect.arrayContaining([
      "api_tokens",
      "artifacts",
      "conversations",
      "executions",
      "sandboxes",
      "sessions",
    ]),
  );

  await page.goto("/settings");
  await page.getByRole("button", { name: "Delete account…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel(/to confirm/).fill(person.email);
  await dialog.getByLabel("Password").fill(person.password);
  await dialog.getByRole("button", { name: "Delete everything" }).click();
  await page.waitForURL((url) => url.pathname === "/", { timeout: 60_000 });

  expect(await tablesWith(db, person.id)).toEqual([]);
  expect(await engineKeeps(sandbox?.id)).toBe(false);
  expect(await filesNaming(cove.dataDir, sandbox?.id)).toEqual([]);
  expect(await filesNaming(cove.dataDir, blob)).toEqual([]);
});

test("deleting the account needs the address and the password, and takes tokens with it", async ({
  page,
  person,
  cove,
  request,
}) => {
  const token = await cove.cli("token", "create", person.email, "--name", "soon gone");
  await openAs(page, person, "/settings");
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
