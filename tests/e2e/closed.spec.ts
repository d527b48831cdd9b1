// A Cove of its own, with other settings than the shared one: closed sign-up, and GitHub as a provider.
import { type Cove, startCove } from "../support/cove.ts";
import { takeDatabaseAway } from "../support/database-away.ts";
import { expect, somebody, test } from "./fixtures.ts";

let cove: Cove;

test.beforeAll(async () => {
  // A start takes longer than a step of a journey.
  test.setTimeout(120_000);
  cove = await startCove({
    COVE_SIGNUP: "closed",
    COVE_URL: "https://cove.example",
    AUTH_GITHUB_ID: "our-client",
    AUTH_GITHUB_SECRET: "our-secret",
  });
});

test.afterAll(async () => {
  await cove.stop();
});

test("where sign-up is closed nobody is invited to it", async ({ page }) => {
  await page.goto(cove.url);
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Create an account" })).toHaveCount(0);
  await page.goto(`${cove.url}/sign-up`);
  await expect(
    page.getByText("Sign-up is closed here. Ask your administrator for an account."),
  ).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveCount(0);
});

test("a sign-up form that is sent anyway is refused", async ({ page, request }) => {
  // The form of an open Cove, held back and sent to the closed one.
  const person = somebody();
  await page.goto("/sign-up");
  await page.route("**/sign-up", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  const held = page.waitForRequest((sent) => sent.method() === "POST");
  await page.getByRole("button", { name: "Create account" }).click();
  const form = await held;
  const { host: _host, origin: _origin, cookie: _cookie, ...headers } = await form.allHeaders();
  const answer = await request.post(`${cove.url}/sign-up`, {
    headers: { ...headers, origin: cove.url },
    data: form.postDataBuffer() ?? "",
  });
  expect(await answer.text()).toContain("Sign-up is closed here.");
});

test("a provider is asked to send people back to the public address", async ({ page }) => {
  await page.route("https://github.com/**", (route) => route.fulfill({ body: "GitHub" }));
  await page.goto(`${cove.url}/sign-in`);
  await page.getByRole("button", { name: "Continue with GitHub" }).click();
  await page.waitForURL("https://github.com/**");
  const asked = new URL(page.url()).searchParams;
  expect(asked.get("client_id")).toBe("our-client");
  expect(asked.get("redirect_uri")).toBe("https://cove.example/api/auth/callback/github");
});

test("a database that is away at sign-in is told as such, and the log says what happened", async ({
  page,
}) => {
  const back = await takeDatabaseAway(cove);
  await page.goto(`${cove.url}/sign-in`);
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("The database does not answer. Try again in a moment.")).toBeVisible();
  await back();
  const failed = () =>
    cove
      .output()
      .split("\n")
      .find((line) => line.includes(`"msg":"The database does not answer`));
  await expect.poll(failed).toBeDefined();
  expect(JSON.parse(failed() ?? "")).toMatchObject({
    requestId: expect.any(String),
    err: { cause: { message: expect.stringContaining("Failed query"), cause: { code: "ENOENT" } } },
  });
});

test("over https every cookie is Secure, HttpOnly and bound to this host", async ({ request }) => {
  const csrf = await request.get(`${cove.url}/api/auth/csrf`);
  const cookies = csrf.headersArray().filter(({ name }) => name.toLowerCase() === "set-cookie");
  expect(cookies.length).toBeGreaterThan(0);
  for (const { value } of cookies)
    expect(value).toMatch(/^__Host-.*HttpOnly.*Secure|^__Host-.*Secure.*HttpOnly/i);
  const page = await request.get(cove.url);
  expect(page.headers()["strict-transport-security"]).toContain("max-age=");
});
