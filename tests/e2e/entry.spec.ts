import { expect, openAs, somebody, test } from "./fixtures.ts";

test("a newcomer reads what Cove is, signs up and sees the application", async ({ page }) => {
  const person = somebody();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "A code interpreter of your own" })).toBeVisible();
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/chat");
  const nav = page.getByRole("navigation", { name: "Main" });
  await expect(nav.getByRole("link")).toHaveText([
    "Chat",
    "Console",
    "Artifacts",
    "Files",
    "History",
    "Skills",
    "Settings",
  ]);
});

test("somebody signs in, is brought back to where they wanted to go, and signs out", async ({
  page,
  person,
}) => {
  await page.goto("/settings/tokens?from=mail");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("E-mail").fill(person.email.toUpperCase());
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/settings/tokens?from=mail");

  await page.getByRole("button", { name: new RegExp(person.name) }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.goto("/chat");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a wrong password and an unknown e-mail get the same sentence, and the e-mail stays typed", async ({
  page,
  person,
}) => {
  for (const email of [person.email, somebody().email]) {
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").first()).toContainText(
      "The e-mail address or the password is not right.",
    );
    await expect(page.getByLabel("E-mail")).toHaveValue(email);
  }
});

test("the eleventh wrong password has to wait, even if it is the right one", async ({ page, person }) => {
  await page.goto("/sign-in");
  const button = page.getByRole("button", { name: "Sign in" });
  await page.getByLabel("E-mail").fill(person.email);
  for (let attempt = 0; attempt < 10; attempt++) {
    await page.getByLabel("Password").fill(`wrong ${attempt}`);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await button.click();
    await answered;
    await expect(button).toBeEnabled();
  }
  await page.getByLabel("Password").fill(person.password);
  await button.click();
  await expect(page.getByText(/Too many attempts\. Try again in \d+ minutes\./)).toBeVisible();
});

test("a duplicate e-mail, a short and an enormous password are refused beside their field", async ({
  page,
  person,
}) => {
  await page.goto("/sign-up");
  await page.getByLabel("Name").fill("Somebody else");
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill("long enough");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("There is already an account with this e-mail address.")).toBeVisible();
  await expect(page.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");

  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("A password has at least 10 characters.")).toBeVisible();

  await page.getByLabel("Password").fill("x".repeat(2000));
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("A password has at most 1024 characters.")).toBeVisible();

  await page.getByLabel("Password").evaluate((input: HTMLInputElement) => {
    input.value = "x".repeat(10 * 2 ** 20);
  });
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("That is far too long.")).toBeVisible();
});

test("a form of ten megabytes that no page sent is refused with a sentence", async ({ request }) => {
  const answer = await request.post("/sign-in", { multipart: { password: "x".repeat(10 * 2 ** 20) } });
  expect(answer.status()).toBe(413);
  expect(await answer.text()).toBe("That form is larger than 1 MB. Nothing was saved.\n");
});

test("an address that leads elsewhere after signing in is not followed", async ({ page, person }) => {
  await page.goto("/sign-in?next=https://evil.example/");
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/chat");
});

test("an unknown address says so, signed in or not", async ({ page, person }) => {
  await page.goto("/no-such-page");
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await openAs(page, person);
  const answer = await page.goto("/chat/nope/nope");
  expect(answer?.status()).toBe(404);
});
