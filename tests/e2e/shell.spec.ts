import AxeBuilder from "@axe-core/playwright";
import { expect, openAs, test } from "./fixtures.ts";

const PAGES = [
  "/chat",
  "/console",
  "/artifacts",
  "/files",
  "/history",
  "/skills",
  "/settings",
  "/settings/security",
  "/settings/tokens",
  "/settings/connect",
  "/settings/models",
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page is accessible and free of script errors in the ${colorScheme} theme`, async ({
    page,
    person,
  }) => {
    test.slow();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of ["/", "/sign-in", "/sign-up"]) await examine(path);
    await openAs(page, person);
    for (const path of PAGES) await examine(path);
    expect(problems).toEqual([]);

    async function examine(path: string) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${path} ${id} ${nodes.map((node) => node.html)}`)).toEqual(
        [],
      );
    }
  });
}

test("the theme can be switched and is remembered", async ({ page, person }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openAs(page, person);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  // A click that comes before the page listens is lost, so it is made again.
  await expect(async () => {
    await page.getByRole("radio", { name: "Dark" }).click();
    expect(await background()).not.toBe(light);
  }).toPass();
  const dark = await background();
  await page.reload();
  expect(await background()).toBe(dark);
  await expect(async () => {
    await page.getByRole("radio", { name: "Like the system" }).click();
    expect(await background()).toBe(light);
  }).toPass();
});

test("a phone gets the navigation in a drawer, and nothing is wider than the screen", async ({
  page,
  person,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, person);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  for (const path of PAGES) {
    await page.goto(path);
    expect(await overflow(), `${path} is too wide`).toBeLessThanOrEqual(0);
  }
  await page.goto("/settings/tokens");
  await page.getByLabel("Name").fill("a long name ".repeat(8));
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("It is not shown again.")).toBeVisible();
  expect(await overflow(), "a new token is too wide").toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the keyboard alone reaches every place, with the focus in sight", async ({ page, person }) => {
  await openAs(page, person);
  // The chat has the focus in its field from the start.
  await page.goto("/settings");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  // Past the name, to the sandbox at a glance.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Sandbox:/ })).toBeFocused();
  const places = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await expect(places).toHaveCount(7);
  for (const place of await places.all()) {
    await page.keyboard.press("Tab");
    await expect(place).toBeFocused();
    await expect(place).not.toHaveCSS("outline-style", "none");
  }
  // And back up again to one of them, which opens.
  for (let back = 0; back < 4; back++) await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/artifacts");
});

test("every answer carries the security headers, and a page a policy with a fresh nonce", async ({
  request,
}) => {
  const page = await request.get("/");
  const again = await request.get("/");
  const door = await request.get("/health");
  for (const { headers } of [page, door].map((answer) => ({ headers: answer.headers() }))) {
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["referrer-policy"]).toBe("same-origin");
    expect(headers["x-powered-by"]).toBeUndefined();
  }
  const policy = page.headers()["content-security-policy"];
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']{22,}' 'strict-dynamic';/);
  expect(policy).not.toBe(again.headers()["content-security-policy"]);
  expect(door.headers()["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a form that another site sends is refused", async ({ page, person }) => {
  await openAs(page, person, "/settings");
  await page.getByLabel("Name").fill("My own choice");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Save" }).click();
  const own = await sent;
  await expect(page.getByText("Saved.")).toBeVisible();

  const forged = await page.request.fetch(own.url(), {
    method: "POST",
    headers: { ...(await own.allHeaders()), origin: "https://evil.example" },
    data: Buffer.from(own.postDataBuffer()?.toString().replace("My own choice", "Their choice") ?? ""),
  });
  expect(forged.ok()).toBe(false);
  await page.reload();
  await expect(page.getByLabel("Name")).toHaveValue("My own choice");
});
