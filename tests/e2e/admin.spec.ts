import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { changeStanding } from "#db/queries/people.ts";
import { doorOf } from "../support/door.ts";
import { addPerson, databaseOf } from "../support/people.ts";
import { expect, openAs, somebody, test } from "./fixtures.ts";

test.describe.configure({ timeout: 90_000 });

const PAGES = ["", "/users", "/sandboxes", "/usage", "/network", "/audit"];

test.beforeEach(async ({ cove, person }) => {
  const { db } = await databaseOf(cove.dataDir);
  await changeStanding(db, person.id, { admin: true });
});

async function confirm(page: Page, button: string, submit: string) {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: submit }).click();
  // Once it has closed, what was asked for is done; until then it hides the page behind it.
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
}

test("somebody is disabled at once, enabled again, and made administrator", async ({
  page,
  cove,
  person,
  browser,
}) => {
  const bob = somebody();
  const bobId = await addPerson(cove.dataDir, bob);
  const theirs = await browser.newContext({ baseURL: cove.url });
  const bobs = await theirs.newPage();
  await openAs(bobs, bob);

  await openAs(page, person, `/admin/users?q=${bob.email}`);
  const row = page.getByRole("row").filter({ hasText: bob.email });
  await expect(row).toContainText("member");
  await confirm(page, `Disable: ${bob.email}`, "Disable");
  await expect(row).toContainText("disabled");
  await bobs.goto("/files");
  await expect(bobs).toHaveURL(/\/sign-in/);

  await confirm(page, `Enable: ${bob.email}`, "Enable");
  await expect(row).toContainText("member");
  await confirm(page, `Make admin: ${bob.email}`, "Make admin");
  await expect(row).toContainText("administrator");

  // A new password is shown once, and is the one that works.
  await page.getByRole("button", { name: `Reset password: ${bob.email}` }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Reset password" }).click();
  const password = await dialog.locator("code").textContent();
  await openAs(bobs, { ...bob, password: password ?? "" });
  await bobs.goto("/admin");
  await expect(bobs.getByRole("heading", { name: "System" })).toBeVisible();
  await theirs.close();

  // All of it is on record, and can be taken along.
  await page.goto(`/admin/audit?q=${bob.email}`);
  const log = page.getByRole("table");
  for (const action of ["disabled", "enabled", "made administrator", "reset the password of"])
    await expect(log.getByRole("cell", { name: action, exact: true })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv).toContain(`"${person.email}","user.disabled","${bob.email}"`);
  expect(csv).not.toContain(password ?? "?");
  expect(bobId).toBeTruthy();
});

test("somebody is invited by a link, joins with it once, and another link is taken back", async ({
  page,
  cove,
  person,
  browser,
}) => {
  const [bob, eve] = [somebody(), somebody()];
  await openAs(page, person, "/admin/users");
  const linkFor = async (email: string, asAdmin: boolean) => {
    await page.getByRole("textbox", { name: "E-mail" }).fill(email);
    await page.getByLabel("As administrator").setChecked(asAdmin);
    await page.getByRole("button", { name: "Make a link" }).click();
    const shown = page.getByRole("status").filter({ hasText: email });
    await expect(shown).toContainText("It is not shown again.");
    return (await shown.locator("code").textContent()) ?? "";
  };
  const bobs = await linkFor(bob.email, true);
  const eves = await linkFor(eve.email, false);
  const open = page.getByRole("list", { name: "Open invitations" }).getByRole("listitem");
  await expect(open.filter({ hasText: bob.email })).toContainText("as administrator");
  await expect(open.filter({ hasText: eve.email })).toContainText(`by ${person.email}`);
  await confirm(page, `Revoke the invitation of ${eve.email}`, "Revoke");
  await expect(open.filter({ hasText: eve.email })).toHaveCount(0);
  await page.goto(bobs);
  await expect(page.getByText(`You are signed in as ${person.email}.`)).toBeVisible();

  const theirs = await browser.newContext({ baseURL: cove.url });
  const guest = await theirs.newPage();
  const sent: string[] = [];
  guest.on("request", (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await guest.goto(eves);
  await expect(guest.getByText("This invitation is not valid")).toBeVisible();
  await guest.goto(bobs);
  await expect(guest.getByLabel("E-mail")).toHaveValue(bob.email);
  await expect(guest.getByLabel("E-mail")).not.toBeEditable();
  await guest.getByLabel("Name").fill("Bob");
  await guest.getByLabel("Password").fill("short");
  await guest.getByRole("button", { name: "Create account" }).click();
  await expect(guest.getByText("A password has at least 10 characters.")).toBeVisible();
  await guest.getByLabel("Password").fill(bob.password);
  await guest.getByRole("button", { name: "Create account" }).click();
  await guest.waitForURL("**/chat");
  await guest.goto("/admin");
  await expect(guest.getByRole("heading", { name: "System" })).toBeVisible();
  // No address and no header ever held what opens the door.
  const [, secret = ""] = bobs.split("#");
  expect(secret).toHaveLength(43);
  expect(sent.filter((one) => one.includes(secret))).toEqual([]);

  // Once.
  await theirs.clearCookies();
  await guest.goto(bobs);
  await expect(guest.getByText("This invitation is not valid")).toBeVisible();
  await theirs.close();
  await page.goto(`/admin/audit?q=${bob.email}`);
  for (const action of ["invited as administrator", "joined by invitation"])
    await expect(page.getByRole("cell", { name: action, exact: true })).toBeVisible();
});

test("a sandbox is seen with what it uses, stopped and deleted; its runs are counted", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  await execute("execute_bash", { command: "echo counted" });
  await openAs(page, person, "/admin/sandboxes");
  const row = page.getByRole("row").filter({ hasText: person.email });
  await expect(row).toContainText("active");
  await expect(row).toContainText("MB");
  await confirm(page, `Stop the sandbox of ${person.email}`, "Stop");
  await expect(row).toContainText("stopped");
  await confirm(page, `Delete the sandbox of ${person.email}`, "Delete everything in it");
  await expect(row).toHaveCount(0);

  await page.goto("/admin/usage");
  await expect(page.getByRole("row").filter({ hasText: person.email }).getByRole("cell").nth(1)).toHaveText(
    "1",
  );
  await page.goto("/admin");
  await expect(page.getByRole("listitem").filter({ hasText: "Database" })).toContainText("answers in");
});

test("a host that was refused is allowed with one click, and refused again", async ({
  page,
  cove,
  person,
}) => {
  const execute = await doorOf(cove, person);
  const host = `x${Date.now()}.example`;
  const reach = () => execute("execute_bash", { command: `curl -s -m 10 https://${host}/` });
  expect((await reach()).denied_hosts).toMatchObject([{ host, reason: "host_not_allowed" }]);
  await openAs(page, person);
  const denied = page.getByRole("row").filter({ hasText: host });
  // Denials are written together, a moment later.
  await expect(async () => {
    await page.goto("/admin/network");
    await expect(denied).toBeVisible({ timeout: 1000 });
  }).toPass();
  await confirm(page, `Allow ${host}`, "Allow");
  await expect(page.getByRole("listitem").filter({ hasText: host })).toBeVisible();
  // Allowed now; that nothing has this name is another matter.
  expect((await reach()).denied_hosts?.[0]?.reason).not.toBe("host_not_allowed");
  await confirm(page, `Remove ${host}`, "Remove");
  await expect(page.getByRole("listitem").filter({ hasText: host })).toHaveCount(0);
  expect((await reach()).denied_hosts).toMatchObject([{ host, reason: "host_not_allowed" }]);
});

test("to everybody else there is no administration", async ({ page, cove }) => {
  const bob = somebody();
  await addPerson(cove.dataDir, bob);
  await openAs(page, bob);
  for (const path of PAGES) {
    expect((await page.goto(`/admin${path}`))?.status()).toBe(404);
  }
  expect((await page.request.get("/api/admin/audit")).status()).toBe(404);
});

test("its pages can be read by everybody, on every screen", async ({ page, person }) => {
  await openAs(page, person);
  for (const path of PAGES) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/admin${path}`);
      await expect(page.getByRole("navigation", { name: "Administration" })).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([path, width, overflow]).toEqual([path, width, 0]);
    }
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
