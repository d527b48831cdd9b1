import { expect, openAs, test } from "./fixtures.ts";

test("a token is shown once, opens the token door, and stops at once when revoked", async ({
  page,
  person,
  request,
}) => {
  await openAs(page, person, "/settings/tokens");
  await expect(page.getByText("No tokens yet.")).toBeVisible();
  await page.getByLabel("Name").fill("my script");
  await page.getByLabel("Valid for").selectOption("30 days");
  await page.getByRole("button", { name: "Create token" }).click();

  const token = await page
    .getByText(/^cove_/)
    .first()
    .textContent();
  expect(token).toMatch(/^cove_[A-Za-z0-9_-]{43}$/);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await request.get("/tools", { headers });
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toEqual({ tools: expect.any(Array) });

  await page.reload();
  await expect(page.getByText("last used just now")).toBeVisible();
  await expect(page.getByText(/expires \w+ \d+, \d{4}/)).toBeVisible();
  expect(await page.content()).not.toContain(token);

  await page.getByRole("button", { name: "Revoke my script" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("No tokens yet.")).toBeVisible();
  expect((await request.get("/tools", { headers })).status()).toBe(401);
});

test("the token door refuses what is not a good token, and says how", async ({
  page,
  person,
  cove,
  request,
}) => {
  const good = await cove.cli("token", "create", person.email, "--name", "good");
  await openAs(page, person);
  const refused = {
    none: await request.get("/tools"),
    malformed: await request.get("/tools", { headers: { authorization: "Bearer cove_x" } }),
    unknown: await request.get("/tools", { headers: { authorization: `Bearer cove_${"A".repeat(43)}` } }),
    basic: await request.get("/tools", { headers: { authorization: `Basic ${btoa(`x:${good}`)}` } }),
    inTheAddress: await request.get(`/tools?token=${good}&access_token=${good}`),
    aCookie: await page.request.get("/tools"),
  };
  for (const answer of Object.values(refused)) {
    expect(answer.status()).toBe(401);
    expect(answer.headers()["www-authenticate"]).toContain("Bearer");
    const { error } = await answer.json();
    expect(error).toEqual({ code: "unauthenticated", message: expect.stringMatching(/token/) });
  }
});

test("the command line makes, lists and revokes tokens", async ({ cove, person, request }) => {
  const token = await cove.cli(
    "token",
    "create",
    person.email,
    "--name",
    "from the shell",
    "--expires",
    "30d",
  );
  const headers = { authorization: `Bearer ${token}` };
  expect((await request.get("/tools", { headers })).status()).toBe(200);
  const [listed] = JSON.parse(await cove.cli("token", "list", person.email));
  expect(listed).toMatchObject({ name: "from the shell", prefix: token.slice(0, 11) });
  expect(JSON.stringify(listed)).not.toContain(token);
  await cove.cli("token", "revoke", listed.id);
  expect((await request.get("/tools", { headers })).status()).toBe(401);
});
